# SPDX-License-Identifier: MPL-2.0
# Libcbor::Libcbor: libcbor

find_path(Libcbor_INCLUDE_DIR cbor.h)
find_library(Libcbor_LIBRARY cbor)
mark_as_advanced(Libcbor_INCLUDE_DIR Libcbor_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libcbor REQUIRED_VARS Libcbor_LIBRARY Libcbor_INCLUDE_DIR)

if(Libcbor_FOUND AND NOT TARGET Libcbor::Libcbor)
    add_library(Libcbor::Libcbor UNKNOWN IMPORTED)
    set_target_properties(Libcbor::Libcbor PROPERTIES
        IMPORTED_LOCATION "${Libcbor_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Libcbor_INCLUDE_DIR}")
endif()
