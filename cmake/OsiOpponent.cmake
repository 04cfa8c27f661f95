# SPDX-License-Identifier: MPL-2.0
# osi_opponent: accessor code of protoc and flatc that converts every OSI message: the naive way in the benchmarks, the
# oracle of the tests. It is other people's code: every preset compiles it optimised and without sanitizers. Like
# osi_protobuf, it is read from another build tree if OSITRACE_OSI_PROTOBUF_DIR names one. Without protoc or flatc there
# is no such target.

include_guard(GLOBAL)
include(OsiProtobuf)
if(NOT TARGET osi_protobuf OR NOT TARGET flatbuffers::flatc)
    return()
endif()

add_executable(generate_opponent EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/app/bench/naive/generate_opponent.cpp")
set_target_properties(generate_opponent PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/osi_protobuf")
ositrace_target(generate_opponent)
target_include_directories(generate_opponent PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(generate_opponent PRIVATE ositrace_static)

# What users of an opponent need, built or imported. The property OPPONENT_FBS is the schema that flatc read.
function(use_opponent target name directory protobuf)
    # protoc's setters assert that an enum number is known; FlatBuffers keep unknown ones.
    target_compile_definitions(${target} INTERFACE NDEBUG)
    set_target_properties(${target} PROPERTIES OPPONENT_FBS "${directory}/${name}.fbs")
    target_include_directories(${target} SYSTEM INTERFACE "${directory}")
    target_link_libraries(${target} INTERFACE ${protobuf} flatbuffers::flatbuffers)
endfunction()

# usage: add_opponent(target NAME directory descriptor_set protobuf_target [flatc_option...])
function(add_opponent target name directory descriptor_set protobuf)
    file(MAKE_DIRECTORY "${directory}")
    set(sources "${directory}/${name}_opponent_0.cpp" "${directory}/${name}_opponent_1.cpp")
    add_custom_command(
        OUTPUT ${sources} "${directory}/${name}_opponent.hpp" "${directory}/${name}.fbs"
        COMMAND generate_opponent "${descriptor_set}" ${name} "${directory}"
        DEPENDS generate_opponent "${descriptor_set}"
        COMMENT "Generating the opponent for ${name}" VERBATIM)
    add_custom_command(
        OUTPUT "${directory}/${name}_generated.h"
        COMMAND flatbuffers::flatc --cpp ${ARGN} -o "${directory}" "${directory}/${name}.fbs"
        DEPENDS "${directory}/${name}.fbs"
        COMMENT "Generating the C++ code of flatc for ${name}" VERBATIM)
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${sources} "${directory}/${name}_generated.h")
    set_target_properties(${target} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${directory}")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_definitions(${target} PRIVATE NDEBUG)
    target_compile_options(${target} PRIVATE ${OSITRACE_OSI_CODE_FLAGS})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE ${protobuf} flatbuffers::flatbuffers)
    use_opponent(${target} ${name} "${directory}" ${protobuf})
endfunction()

set(directory "${OSITRACE_OSI_PROTOBUF_DIR}/naive")
if(OSITRACE_OSI_PROTOBUF_DIR AND EXISTS "${directory}/libosi_opponent.a")
    add_library(osi_opponent STATIC IMPORTED GLOBAL)
    set_target_properties(osi_opponent PROPERTIES IMPORTED_LOCATION "${directory}/libosi_opponent.a")
    use_opponent(osi_opponent osi "${directory}" osi_protobuf)
else()
    add_opponent(osi_opponent osi "${PROJECT_BINARY_DIR}/osi_protobuf/naive" "${OSITRACE_DESCRIPTOR_SET}" osi_protobuf)
endif()
