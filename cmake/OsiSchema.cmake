# SPDX-License-Identifier: MPL-2.0
# Finds the descriptor set to build in and leaves its path in OSITRACE_DESCRIPTOR_SET; beside it descriptor.proto, which
# OSI imports, in OSITRACE_DESCRIPTOR_PROTO (empty with 1). In this order:
#   1. OSITRACE_SCHEMA, when given: any OSI release, no network, no Python;
#   2. the set an earlier configuration left in the user's cache directory;
#   3. the pinned PyPI packages, read by extract_descriptors.py.
# 2 and 3 are the same bytes: both are checked against the hashes below.

set(OSI_VERSION 3.8.0)
set(OSI_DESCRIPTOR_SET_SHA256 e92b7185222eb148bd603e06ebce6d2e4140682f723a63d3760d897bdfa93260)
set(DESCRIPTOR_PROTO_VERSION 4.21.12)
set(DESCRIPTOR_PROTO_SHA256 1dddbbf663a1afa3de00c7c5651738f44f885fd14d4ec1e2daca2bac8aa05020)
include(PypiPackage)

# Extracts the descriptors (of the modules named `pattern`) from the package that a requirements file pins.
function(osi_schema_from_pypi package pattern hash output)
    set(unpacked "${PROJECT_BINARY_DIR}/${package}")
    pypi_package("${PROJECT_SOURCE_DIR}/cmake/${package}.txt" "${unpacked}" error)
    if(NOT error)
        execute_process(
            COMMAND "${OSITRACE_PYTHON}" "${PROJECT_SOURCE_DIR}/cmake/extract_descriptors.py" "${unpacked}" "${output}"
                    "${pattern}"
            RESULT_VARIABLE failed ERROR_VARIABLE error)
    endif()
    if(error OR failed)
        message(FATAL_ERROR "No OSI schema: ${error}\nGive a descriptor set with -DOSITRACE_SCHEMA=FILE.desc to build "
            "without network and Python.")
    endif()
    file(SHA256 "${output}" found)
    if(NOT found STREQUAL hash)
        file(REMOVE "${output}")
        message(FATAL_ERROR "The schema extracted from ${package} has SHA-256 ${found}, expected ${hash}.")
    endif()
endfunction()

# Sets `result` to the path of a set in the cache directory, which is fetched if necessary.
function(osi_cached_schema file_name package pattern hash result)
    ositrace_cache_directory(cache)
    set(file "${cache}/${file_name}")
    set(found "")
    if(EXISTS "${file}")
        file(SHA256 "${file}" found)
    endif()
    if(NOT found STREQUAL hash)
        osi_schema_from_pypi("${package}" "${pattern}" "${hash}" "${file}")
    endif()
    set(${result} "${file}" PARENT_SCOPE)
endfunction()

if(OSITRACE_SCHEMA)
    get_filename_component(OSITRACE_DESCRIPTOR_SET "${OSITRACE_SCHEMA}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")
    if(NOT EXISTS "${OSITRACE_DESCRIPTOR_SET}")
        message(FATAL_ERROR "OSITRACE_SCHEMA: ${OSITRACE_DESCRIPTOR_SET} does not exist.")
    endif()
    set(OSITRACE_DESCRIPTOR_PROTO "")
else()
    osi_cached_schema(osi-${OSI_VERSION}.desc osi-python *_pb2.py ${OSI_DESCRIPTOR_SET_SHA256} OSITRACE_DESCRIPTOR_SET)
    osi_cached_schema(descriptor-${DESCRIPTOR_PROTO_VERSION}.desc protobuf descriptor_pb2.py ${DESCRIPTOR_PROTO_SHA256}
        OSITRACE_DESCRIPTOR_PROTO)
endif()

# Adds the descriptor sets to a target.
function(osi_embed_schema target)
    set(descriptor_proto none)
    if(OSITRACE_DESCRIPTOR_PROTO)
        set(descriptor_proto "${OSITRACE_DESCRIPTOR_PROTO}")
    endif()
    ositrace_embed_files(${target} formats/descriptors/descriptor_files.hpp
        embedded_descriptor_set "${OSITRACE_DESCRIPTOR_SET}" embedded_descriptor_proto "${descriptor_proto}")
endfunction()
