# SPDX-License-Identifier: MPL-2.0
# Prints the summary of a configuration: what is built, and what is missing for the rest.

get_property(missing GLOBAL PROPERTY OSITRACE_MISSING)
message(STATUS "ositrace ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, schema ${OSITRACE_DESCRIPTOR_SET}")
foreach(line IN LISTS missing)
    message(STATUS "  not built: ${line}")
endforeach()
