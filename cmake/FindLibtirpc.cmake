# SPDX-License-Identifier: MPL-2.0
# Libtirpc::Libtirpc: libtirpc, Sun RPC with XDR, and Libtirpc_RPCGEN, its generator of code

find_path(Libtirpc_INCLUDE_DIR rpc/xdr.h PATH_SUFFIXES tirpc)
find_library(Libtirpc_LIBRARY tirpc)
find_program(Libtirpc_RPCGEN rpcgen)
mark_as_advanced(Libtirpc_INCLUDE_DIR Libtirpc_LIBRARY Libtirpc_RPCGEN)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libtirpc REQUIRED_VARS Libtirpc_LIBRARY Libtirpc_INCLUDE_DIR Libtirpc_RPCGEN)

if(Libtirpc_FOUND AND NOT TARGET Libtirpc::Libtirpc)
    add_library(Libtirpc::Libtirpc UNKNOWN IMPORTED)
    set_target_properties(Libtirpc::Libtirpc PROPERTIES
        IMPORTED_LOCATION "${Libtirpc_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Libtirpc_INCLUDE_DIR}")
endif()
