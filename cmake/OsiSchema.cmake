# SPDX-License-Identifier: MPL-2.0
# Finds the descriptor set to build in and leaves its path in OSITRACE_DESCRIPTOR_SET. In this order:
#   1. OSITRACE_SCHEMA, when given: any OSI release, no network, no Python;
#   2. the set an earlier configuration left in the user's cache directory;
#   3. the pinned PyPI package, taken apart by extract_descriptors.py.
# 2 and 3 are the same bytes: both are checked against the hash below.

set(OSI_VERSION 3.8.0)
set(OSI_DESCRIPTOR_SET_SHA256 e92b7185222eb148bd603e06ebce6d2e4140682f723a63d3760d897bdfa93260)
include(PypiPackage)

function(osi_schema_from_pypi output)
    set(unpacked "${PROJECT_BINARY_DIR}/osi-python")
    pypi_package("${PROJECT_SOURCE_DIR}/cmake/osi-python.txt" "${unpacked}" error)
    if(NOT error)
        execute_process(
            COMMAND "${OSITRACE_PYTHON}" "${PROJECT_SOURCE_DIR}/cmake/extract_descriptors.py" "${unpacked}" "${output}"
            RESULT_VARIABLE failed ERROR_VARIABLE error)
    endif()
    if(error OR failed)
        message(FATAL_ERROR "No OSI schema: ${error}\nGive a descriptor set with -DOSITRACE_SCHEMA=FILE.desc to build "
            "without network and Python.")
    endif()
    file(SHA256 "${output}" found)
    if(NOT found STREQUAL OSI_DESCRIPTOR_SET_SHA256)
        file(REMOVE "${output}")
        message(FATAL_ERROR "The extracted OSI schema has SHA-256 ${found}, expected ${OSI_DESCRIPTOR_SET_SHA256}.")
    endif()
endfunction()

if(OSITRACE_SCHEMA)
    get_filename_component(OSITRACE_DESCRIPTOR_SET "${OSITRACE_SCHEMA}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")
    if(NOT EXISTS "${OSITRACE_DESCRIPTOR_SET}")
        message(FATAL_ERROR "OSITRACE_SCHEMA: ${OSITRACE_DESCRIPTOR_SET} does not exist.")
    endif()
else()
    ositrace_cache_directory(cache)
    set(OSITRACE_DESCRIPTOR_SET "${cache}/osi-${OSI_VERSION}.desc")
    set(found "")
    if(EXISTS "${OSITRACE_DESCRIPTOR_SET}")
        file(SHA256 "${OSITRACE_DESCRIPTOR_SET}" found)
    endif()
    if(NOT found STREQUAL OSI_DESCRIPTOR_SET_SHA256)
        osi_schema_from_pypi("${OSITRACE_DESCRIPTOR_SET}")
    endif()
endif()

# Adds the descriptor set to a target as a generated source (formats/schema/embedded_schema.hpp declares it).
function(osi_embed_schema target)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_schema.cpp")
    add_custom_command(OUTPUT "${source}"
        COMMAND "${CMAKE_COMMAND}" -D "INPUT=${OSITRACE_DESCRIPTOR_SET}" -D "OUTPUT=${source}"
                -P "${PROJECT_SOURCE_DIR}/cmake/embed_schema.cmake"
        DEPENDS "${OSITRACE_DESCRIPTOR_SET}" "${PROJECT_SOURCE_DIR}/cmake/embed_schema.cmake"
        COMMENT "Embedding ${OSITRACE_DESCRIPTOR_SET}" VERBATIM)
    target_sources(${target} PRIVATE "${source}")
endfunction()
