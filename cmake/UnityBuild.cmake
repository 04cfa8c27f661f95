# SPDX-License-Identifier: MPL-2.0
# Compiles several sources of one folder together: they include the same headers, and reading these takes most of the
# time of a build. The names in the anonymous namespaces of one folder must differ. A source with
# SKIP_UNITY_BUILD_INCLUSION is compiled alone, and so is one with compile options of its own. OSITRACE_UNITY=OFF
# compiles every source alone.

set(OSITRACE_UNITY_FILES 20 CACHE STRING "How many sources of a folder are compiled together at most")
mark_as_advanced(OSITRACE_UNITY_FILES)

# usage: ositrace_unity_build(): after the last target
function(ositrace_unity_build)
    ositrace_unity_directory("${PROJECT_SOURCE_DIR}")
endfunction()

# The targets of a directory and its subdirectories for which ositrace_target() was called.
function(ositrace_unity_directory directory)
    get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(unity ${target} UNITY_BUILD)
        if(unity)
            ositrace_unity_target(${target} "${directory}")
        endif()
    endforeach()
    get_property(subdirectories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
    foreach(subdirectory IN LISTS subdirectories)
        ositrace_unity_directory("${subdirectory}")
    endforeach()
endfunction()

function(ositrace_unity_target target directory)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^[^$]*\\.cpp$")
    set(folders "")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${directory}" NORMALIZE)
        cmake_path(GET source PARENT_PATH folder)
        list(APPEND folders "${folder}")
        list(APPEND "${folder}" "${source}")
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        ositrace_unity_folder("${directory}" "${folder}" ${${folder}})
    endforeach()
endfunction()

# Groups of nearly equal size.
function(ositrace_unity_folder directory folder)
    set(sources ${ARGN})
    list(SORT sources)
    list(LENGTH sources count)
    if(count EQUAL 1)
        return()
    endif()
    cmake_path(GET folder FILENAME name)
    math(EXPR groups "(${count} + ${OSITRACE_UNITY_FILES} - 1) / ${OSITRACE_UNITY_FILES}")
    set(place 0)
    foreach(source IN LISTS sources)
        math(EXPR group "${place} * ${groups} / ${count}")
        math(EXPR place "${place} + 1")
        set_source_files_properties("${source}" DIRECTORY "${directory}" PROPERTIES UNITY_GROUP "${name}_${group}")
    endforeach()
endfunction()
