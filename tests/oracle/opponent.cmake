# SPDX-License-Identifier: MPL-2.0
# osi_opponent: accessor code of protoc and flatc that converts every OSI message, and oracle_every_kind, the same for a schema
# with every kind of field. Uninstrumented and optimised in every preset: other people's code, and the opponent of the benchmarks.
# Like osi_protobuf, osi_opponent is taken from another build tree where OSITRACE_OSI_PROTOBUF_DIR names one.

add_executable(generate_opponent EXCLUDE_FROM_ALL generate_opponent.cpp)
ositrace_target(generate_opponent)
target_include_directories(generate_opponent PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(generate_opponent PRIVATE ositrace_static)

# What users of an opponent need, built or imported.
function(use_opponent target name directory protobuf)
    # protoc's setters assert that an enum number is known; the flat form keeps the others.
    target_compile_definitions(${target} INTERFACE NDEBUG)
    set(OPPONENT_FBS_${name} "${directory}/${name}.fbs" PARENT_SCOPE)
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
    target_compile_options(${target} PRIVATE -O2 -g0 -w)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE ${protobuf} flatbuffers::flatbuffers)
    use_opponent(${target} ${name} "${directory}" ${protobuf})
    set(OPPONENT_FBS_${name} "${OPPONENT_FBS_${name}}" PARENT_SCOPE)
endfunction()

if(OSITRACE_OSI_PROTOBUF_DIR AND EXISTS "${OSITRACE_OSI_PROTOBUF_DIR}/opponent/libosi_opponent.a")
    set(directory "${OSITRACE_OSI_PROTOBUF_DIR}/opponent")
    add_library(osi_opponent STATIC IMPORTED GLOBAL)
    set_target_properties(osi_opponent PROPERTIES IMPORTED_LOCATION "${directory}/libosi_opponent.a")
    use_opponent(osi_opponent osi "${directory}" osi_protobuf)
else()
    add_opponent(osi_opponent osi "${PROJECT_BINARY_DIR}/osi_protobuf/opponent" "${OSITRACE_DESCRIPTOR_SET}" osi_protobuf)
endif()

if(NOT OSITRACE_TESTS)
    return()
endif()
set(directory "${CMAKE_CURRENT_BINARY_DIR}/every_kind")
file(MAKE_DIRECTORY "${directory}")
add_custom_command(
    OUTPUT "${directory}/every_kind.desc" "${directory}/every_kind.pb.cc" "${directory}/every_kind.pb.h"
    COMMAND protobuf::protoc "--proto_path=${CMAKE_CURRENT_SOURCE_DIR}" "--cpp_out=${directory}"
            "--descriptor_set_out=${directory}/every_kind.desc" every_kind.proto
    DEPENDS every_kind.proto
    COMMENT "Generating the C++ code of protoc for every_kind" VERBATIM)
add_library(every_kind_protobuf STATIC EXCLUDE_FROM_ALL "${directory}/every_kind.pb.cc")
target_compile_options(every_kind_protobuf PRIVATE -O2 -g0 -w)
target_include_directories(every_kind_protobuf SYSTEM PUBLIC "${directory}")
target_link_libraries(every_kind_protobuf PUBLIC protobuf::libprotobuf)
add_opponent(oracle_every_kind every_kind "${directory}" "${directory}/every_kind.desc" every_kind_protobuf --gen-object-api)
