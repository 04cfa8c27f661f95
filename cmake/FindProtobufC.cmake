# SPDX-License-Identifier: MPL-2.0
# ProtobufC::ProtobufC: protobuf-c, and ProtobufC_PLUGIN, its generator of code

find_path(ProtobufC_INCLUDE_DIR protobuf-c/protobuf-c.h)
find_library(ProtobufC_LIBRARY protobuf-c)
find_program(ProtobufC_PLUGIN protoc-gen-c)
mark_as_advanced(ProtobufC_INCLUDE_DIR ProtobufC_LIBRARY ProtobufC_PLUGIN)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ProtobufC REQUIRED_VARS ProtobufC_LIBRARY ProtobufC_INCLUDE_DIR ProtobufC_PLUGIN)

if(ProtobufC_FOUND AND NOT TARGET ProtobufC::ProtobufC)
    add_library(ProtobufC::ProtobufC UNKNOWN IMPORTED)
    set_target_properties(ProtobufC::ProtobufC PROPERTIES
        IMPORTED_LOCATION "${ProtobufC_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${ProtobufC_INCLUDE_DIR}")
endif()
