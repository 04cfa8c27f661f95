# SPDX-License-Identifier: MPL-2.0
# osi_protobuf: protoc's C++ code for the built-in descriptor set, for tests and benchmarks only. It takes longer to
# compile than the rest of the project, so it is built once, uninstrumented, and shared: a build with
# OSITRACE_OSI_PROTOBUF_DIR uses the library in the `osi_protobuf` folder of another build tree, as long as that has
# the same schema.

include_guard(GLOBAL)

set(OSITRACE_OSI_PROTOBUF_DIR ""
    CACHE PATH "The osi_protobuf folder of another build tree to take instead of building it")

if(NOT Protobuf_FOUND)
    return()
endif()

set(OSITRACE_OSI_CODE_FLAGS -O2 -g0 -w
    CACHE STRING "How the code that protoc and flatc generate for OSI is compiled, in every preset")
mark_as_advanced(OSITRACE_OSI_CODE_FLAGS)

set(directory "${PROJECT_BINARY_DIR}/osi_protobuf")
file(SHA256 "${OSITRACE_DESCRIPTOR_SET}" hash)
set(stamp_name "${hash}.built")

if(OSITRACE_OSI_PROTOBUF_DIR AND EXISTS "${OSITRACE_OSI_PROTOBUF_DIR}/${stamp_name}")
    add_library(osi_protobuf STATIC IMPORTED GLOBAL)
    set_target_properties(osi_protobuf PROPERTIES
        IMPORTED_LOCATION "${OSITRACE_OSI_PROTOBUF_DIR}/libosi_protobuf.a"
        INTERFACE_INCLUDE_DIRECTORIES "${OSITRACE_OSI_PROTOBUF_DIR}/include"
        INTERFACE_LINK_LIBRARIES protobuf::libprotobuf)
    return()
endif()

# The names of the .proto files in the set, found in its bytes.
file(STRINGS "${OSITRACE_DESCRIPTOR_SET}" text)
string(REGEX MATCHALL "(osi3/)?osi_[a-z]+\\.proto" protos "${text}")
list(REMOVE_DUPLICATES protos)
set(generated "")
foreach(proto IN LISTS protos)
    string(REGEX REPLACE "\\.proto$" ".pb.cc" source "${directory}/include/${proto}")
    list(APPEND generated "${source}")
endforeach()

# Eight of these files are compiled together, which halves the time. They have two static names in common.
set(sources "")
set(count 0)
foreach(proto IN LISTS protos)
    string(REGEX REPLACE "\\.proto$" ".pb.cc" file "${proto}")
    math(EXPR part "${count} / 8")
    math(EXPR count "${count} + 1")
    string(APPEND part_${part}
        "#define schemas schemas_${count}\n#define file_default_instances file_default_instances_${count}\n"
        "#include \"${file}\"\n#undef schemas\n#undef file_default_instances\n")
endforeach()
foreach(number RANGE ${part})
    set(source "${directory}/osi_protobuf_${number}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "${part_${number}}" @ONLY)
    list(APPEND sources "${source}")
endforeach()
set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS "${generated}")

# OSI imports descriptor.proto, which is not in the set: it comes from the installation of protobuf.
list(GET Protobuf_INCLUDE_DIRS 0 imports)
add_custom_command(
    OUTPUT ${generated}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${directory}/include"
    COMMAND protobuf::protoc "--proto_path=${imports}" "--descriptor_set_out=${directory}/descriptor.desc"
            google/protobuf/descriptor.proto
    COMMAND protobuf::protoc "--descriptor_set_in=${OSITRACE_DESCRIPTOR_SET}:${directory}/descriptor.desc"
            "--cpp_out=${directory}/include" ${protos}
    DEPENDS "${OSITRACE_DESCRIPTOR_SET}"
    COMMENT "Generating the OSI C++ code of protoc" VERBATIM)

add_library(osi_protobuf STATIC EXCLUDE_FROM_ALL ${sources})
set_target_properties(osi_protobuf PROPERTIES
    ARCHIVE_OUTPUT_DIRECTORY "${directory}"
    POSITION_INDEPENDENT_CODE ON)
target_compile_features(osi_protobuf PUBLIC cxx_std_20)
target_compile_options(osi_protobuf PRIVATE ${OSITRACE_OSI_CODE_FLAGS})
target_include_directories(osi_protobuf SYSTEM PUBLIC "${directory}/include")
target_link_libraries(osi_protobuf PUBLIC protobuf::libprotobuf)
add_custom_command(TARGET osi_protobuf POST_BUILD COMMAND "${CMAKE_COMMAND}" -E touch "${directory}/${stamp_name}")
