# SPDX-License-Identifier: MPL-2.0
# cmake --install: headers, both libraries and their parts, find_package(ositrace), pkg-config.

include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/ositrace")

set_target_properties(ositrace_static PROPERTIES EXPORT_NAME ositrace_static)
set_target_properties(ositrace_shared PROPERTIES EXPORT_NAME ositrace)

foreach(kind IN ITEMS static shared)
    install(TARGETS ositrace_${kind} EXPORT ositrace-${kind}
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(EXPORT ositrace-${kind} NAMESPACE ositrace:: DESTINATION "${package_directory}")
endforeach()
foreach(part IN ITEMS scene dummy picture query compare field_docs series table traffic net text fmu)
    if(TARGET ositrace_${part})
        install(TARGETS ositrace_${part} EXPORT ositrace-${part}
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
            INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
        install(EXPORT ositrace-${part} NAMESPACE ositrace:: DESTINATION "${package_directory}")
        install(DIRECTORY lib/${part}/include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
    endif()
endforeach()
if(TARGET ositrace_fmu)
    install(TARGETS ositrace-fmu-host RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/ositrace"
        COMPONENT programs)
endif()
install(DIRECTORY formats/include/ lib/include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")

set(net_needs_libzmq OFF)
if(Libzmq_LIBRARY)
    set(net_needs_libzmq ON)
endif()
configure_package_config_file(cmake/ositraceConfig.cmake.in ositraceConfig.cmake
    INSTALL_DESTINATION "${package_directory}")
write_basic_package_version_file(ositraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/ositraceConfig.cmake"
    "${PROJECT_BINARY_DIR}/ositraceConfigVersion.cmake"
    cmake/FindZstd.cmake
    cmake/FindLZ4.cmake
    cmake/FindLibzmq.cmake
    DESTINATION "${package_directory}")

# Relative to the .pc file, so that the tree may be moved.
file(RELATIVE_PATH pkgconfig_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/ositrace.pc.in ositrace.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/ositrace.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT programs)
