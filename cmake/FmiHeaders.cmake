# SPDX-License-Identifier: MPL-2.0
# The C headers of FMI 2.0 and FMI 3.0 (fmi2Functions.h, fmi3Functions.h and what they include) as the target
# `fmi_headers`: from OSITRACE_FMI_HEADERS, or fetched with the pinned PyPI package of fmpy.txt. Without them there is
# no such target.

include_guard(GLOBAL)
include(PypiPackage)

set(OSITRACE_FMI_HEADERS "" CACHE PATH "Directory with fmi2Functions.h and fmi3Functions.h; empty: fetched")

function(fmi_headers_directory result)
    if(OSITRACE_FMI_HEADERS)
        set(${result} "${OSITRACE_FMI_HEADERS}" PARENT_SCOPE)
        return()
    endif()
    ositrace_cache_directory(cache)
    set(requirements "${PROJECT_SOURCE_DIR}/cmake/fmpy.txt")
    file(SHA256 "${requirements}" pin)
    string(SUBSTRING "${pin}" 0 16 pin)
    set(directory "${cache}/fmi-headers-${pin}")
    if(NOT EXISTS "${directory}/fmi3Functions.h")
        if(OSITRACE_SCHEMA)  # the build must not use the network
            ositrace_missing("FMUs" "OSITRACE_FMI_HEADERS names no directory with the headers")
            return()
        endif()
        pypi_package("${requirements}" "${PROJECT_BINARY_DIR}/fmpy" error)
        if(error)
            ositrace_missing("FMUs" "${error} (OSITRACE_FMI_HEADERS names a directory with the headers)")
            return()
        endif()
        file(GLOB headers "${PROJECT_BINARY_DIR}/fmpy/fmpy/c-code/fmi[23]*.h")
        file(COPY ${headers} DESTINATION "${directory}.new")
        file(REMOVE_RECURSE "${directory}")
        file(RENAME "${directory}.new" "${directory}")
    endif()
    set(${result} "${directory}" PARENT_SCOPE)
endfunction()

fmi_headers_directory(fmi_headers_found)
if(fmi_headers_found)
    add_library(fmi_headers INTERFACE)
    target_include_directories(fmi_headers SYSTEM INTERFACE "${fmi_headers_found}")
endif()
