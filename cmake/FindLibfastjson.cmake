# SPDX-License-Identifier: MPL-2.0
# Libfastjson::Libfastjson: libfastjson

find_path(Libfastjson_INCLUDE_DIR libfastjson/json.h)
find_library(Libfastjson_LIBRARY fastjson)
mark_as_advanced(Libfastjson_INCLUDE_DIR Libfastjson_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libfastjson REQUIRED_VARS Libfastjson_LIBRARY Libfastjson_INCLUDE_DIR)

if(Libfastjson_FOUND AND NOT TARGET Libfastjson::Libfastjson)
    add_library(Libfastjson::Libfastjson UNKNOWN IMPORTED)
    set_target_properties(Libfastjson::Libfastjson PROPERTIES
        IMPORTED_LOCATION "${Libfastjson_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Libfastjson_INCLUDE_DIR}")
endif()
