# SPDX-License-Identifier: MPL-2.0
# OSITRACE_TEST_SCHEMA_370 and _380: descriptor sets with comments, from PyPI; empty when they could not be fetched.

include(PypiPackage)

function(osi_test_schemas)
    ositrace_cache_directory(cache)
    set(versions 3.7.0 3.8.0)
    set(unpacked "${PROJECT_BINARY_DIR}/betterosi")
    foreach(version IN LISTS versions)
        set(set "${cache}/osi-${version}-with-comments.desc")
        if(NOT EXISTS "${set}" AND NOT EXISTS "${unpacked}")
            pypi_package("${PROJECT_SOURCE_DIR}/cmake/betterosi.txt" "${unpacked}" error)
            if(error)
                file(REMOVE_RECURSE "${unpacked}")
                ositrace_missing("tests of other OSI releases" "${error}")
                return()
            endif()
        endif()
        if(NOT EXISTS "${set}")
            string(RANDOM LENGTH 8 suffix)
            file(COPY_FILE "${unpacked}/betterosi/generated/${version}/osi3_descriptor_set.pb" "${set}.${suffix}")
            file(RENAME "${set}.${suffix}" "${set}")
        endif()
        string(REPLACE "." "" digits "${version}")
        set(OSITRACE_TEST_SCHEMA_${digits} "${set}" PARENT_SCOPE)
    endforeach()
endfunction()

set(OSITRACE_TEST_SCHEMA_370 "")
set(OSITRACE_TEST_SCHEMA_380 "")
if(NOT OSITRACE_SCHEMA)  # else the build must not use the network
    osi_test_schemas()
endif()
