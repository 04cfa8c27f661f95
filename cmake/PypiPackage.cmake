# SPDX-License-Identifier: MPL-2.0
# Data files from PyPI packages pinned by version and hash. Nothing is installed, so a managed Python is no obstacle.

# The directory that keeps what was fetched for later builds: the user's cache, or else the build tree.
function(ositrace_cache_directory result)
    set(directory "$ENV{XDG_CACHE_HOME}")
    if(directory STREQUAL "")
        set(directory "$ENV{HOME}/.cache")
    endif()
    string(APPEND directory "/ositrace")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${directory}" RESULT_VARIABLE failed
        OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        set(directory "${PROJECT_BINARY_DIR}")
    endif()
    set(${result} "${directory}" PARENT_SCOPE)
endfunction()

# A python3 that has pip; the first one in the PATH may have none.
function(ositrace_python_has_pip valid python)
    execute_process(COMMAND "${python}" -m pip --version RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        set(${valid} FALSE PARENT_SCOPE)
    endif()
endfunction()

# Sets OSITRACE_PYTHON, the Python that runs whatever the build runs.
macro(ositrace_find_python)
    find_program(OSITRACE_PYTHON NAMES python3 VALIDATOR ositrace_python_has_pip)
    mark_as_advanced(OSITRACE_PYTHON)
endmacro()

# Downloads the wheels that a requirements file pins and unpacks them into one directory; `error` is empty or says what
# failed.
function(pypi_package requirements directory error)
    ositrace_find_python()
    if(NOT OSITRACE_PYTHON)
        set(${error} "python3 with pip is missing (Debian packages: python3 python3-pip)" PARENT_SCOPE)
        return()
    endif()
    file(REMOVE_RECURSE "${directory}")
    file(MAKE_DIRECTORY "${directory}")
    message(STATUS "Fetching ${requirements}")
    execute_process(
        COMMAND "${OSITRACE_PYTHON}" -m pip download --quiet --no-deps --only-binary :all: --require-hashes
                --dest "${directory}" --requirement "${requirements}"
        RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    file(GLOB wheels "${directory}/*.whl")
    if(failed OR NOT wheels)
        set(${error} "pip could not download ${requirements}:\n${output}" PARENT_SCOPE)
        return()
    endif()
    foreach(wheel IN LISTS wheels)
        file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${directory}")
    endforeach()
    set(${error} "" PARENT_SCOPE)
endfunction()
