# SPDX-License-Identifier: MPL-2.0
# OSITRACE_TEST_SCHEMA_370 and _380: descriptor sets with comments, from PyPI; empty when they could not be fetched.

include(PypiPackage)
set(OSITRACE_TEST_SCHEMA_370 "")
set(OSITRACE_TEST_SCHEMA_380 "")
if(OSITRACE_SCHEMA)
    return()  # asked to do without network
endif()

ositrace_cache_directory(cache)
set(betterosi "${cache}/betterosi-0.9.0")
set(sets "${betterosi}/betterosi/generated")
if(NOT EXISTS "${betterosi}/complete")
    pypi_package("${PROJECT_SOURCE_DIR}/cmake/betterosi.txt" "${betterosi}" error)
    if(error)
        ositrace_missing("tests of other OSI releases" "${error}")
        return()
    endif()
    file(TOUCH "${betterosi}/complete")
endif()
set(OSITRACE_TEST_SCHEMA_370 "${sets}/3.7.0/osi3_descriptor_set.pb")
set(OSITRACE_TEST_SCHEMA_380 "${sets}/3.8.0/osi3_descriptor_set.pb")
