# SPDX-License-Identifier: MPL-2.0
# osi_opponent: accessor code of protoc and flatc that converts every OSI message, and oracle_every_kind, the same for a schema
# with every kind of field. Uninstrumented and optimised in every preset: other people's code, and the opponent of the benchmarks.

add_executable(generate_opponent EXCLUDE_FROM_ALL generate_opponent.cpp)
ositrace_target(generate_opponent)
target_include_directories(generate_opponent PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(generate_opponent PRIVATE ositrace_static)

# usage: add_opponent(target NAME descriptor_set protobuf_target [flatc_option...])
function(add_opponent target name descriptor_set protobuf)
    set(directory "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    file(MAKE_DIRECTORY "${directory}")
    set(sources "")
    foreach(part RANGE 1)
        list(APPEND sources "${directory}/${name}_opponent_${part}.cpp")
    endforeach()
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
    target_compile_features(${target} PUBLIC cxx_std_20)
    # protoc's setters assert that an enum number is known; the flat form keeps the others.
    target_compile_definitions(${target} PUBLIC NDEBUG INTERFACE OPPONENT_FBS="${directory}/${name}.fbs")
    target_compile_options(${target} PRIVATE -O2 -g0 -w)
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_include_directories(${target} SYSTEM PUBLIC "${directory}")
    target_link_libraries(${target} PUBLIC ${protobuf} flatbuffers::flatbuffers)
endfunction()

add_opponent(osi_opponent osi "${OSITRACE_DESCRIPTOR_SET}" osi_protobuf)

set(every_kind "${CMAKE_CURRENT_BINARY_DIR}/every_kind")
add_custom_command(
    OUTPUT "${every_kind}/every_kind.desc" "${every_kind}/every_kind.pb.cc" "${every_kind}/every_kind.pb.h"
    COMMAND protobuf::protoc "--proto_path=${CMAKE_CURRENT_SOURCE_DIR}" "--cpp_out=${every_kind}"
            "--descriptor_set_out=${every_kind}/every_kind.desc" every_kind.proto
    DEPENDS every_kind.proto
    COMMENT "Generating the C++ code of protoc for every_kind" VERBATIM)
add_library(every_kind_protobuf STATIC EXCLUDE_FROM_ALL "${every_kind}/every_kind.pb.cc")
target_compile_options(every_kind_protobuf PRIVATE -O2 -g0 -w)
target_include_directories(every_kind_protobuf SYSTEM PUBLIC "${every_kind}")
target_link_libraries(every_kind_protobuf PUBLIC protobuf::libprotobuf)
add_opponent(oracle_every_kind every_kind "${every_kind}/every_kind.desc" every_kind_protobuf --gen-object-api)
