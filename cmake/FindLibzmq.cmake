# SPDX-License-Identifier: MPL-2.0
# Libzmq::Libzmq, ZeroMQ's C API

find_path(Libzmq_INCLUDE_DIR zmq.h)
find_library(Libzmq_LIBRARY zmq)
mark_as_advanced(Libzmq_INCLUDE_DIR Libzmq_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libzmq REQUIRED_VARS Libzmq_LIBRARY Libzmq_INCLUDE_DIR)

if(Libzmq_FOUND AND NOT TARGET Libzmq::Libzmq)
    add_library(Libzmq::Libzmq UNKNOWN IMPORTED)
    set_target_properties(Libzmq::Libzmq PROPERTIES
        IMPORTED_LOCATION "${Libzmq_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Libzmq_INCLUDE_DIR}")
    if(WIN32)  # the archive of packaging/windows/libraries.sh
        set_target_properties(Libzmq::Libzmq PROPERTIES
            INTERFACE_COMPILE_DEFINITIONS ZMQ_STATIC
            INTERFACE_LINK_LIBRARIES "iphlpapi;ws2_32")
    endif()
endif()
