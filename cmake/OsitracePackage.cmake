# SPDX-License-Identifier: MPL-2.0
# cpack: one .deb each of the programs, the viewer, what a C++ program needs, the FMUs, and the benchmarks.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "ositrace")
set(CPACK_PACKAGE_CONTACT "ositrace developers <ositrace@ositrace.example>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(same "(= ${PROJECT_VERSION})")

set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME ositrace)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION "Convert, check, repair and replay ASAM OSI traces: osiconvert, osiplay")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "osiview, ositrace-fmus")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libositrace-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "C++ library for ASAM OSI traces: headers, libraries, find_package(ositrace)")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libzstd-dev, liblz4-dev, zlib1g-dev, liblzma-dev, libpugixml-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "ositrace ${same}")  # the part `fmu` starts ositrace-fmu-host
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libprotobuf-dev, libzmq3-dev")

if(TARGET osiview)
    list(APPEND CPACK_COMPONENTS_ALL viewer)
    set(CPACK_DEBIAN_VIEWER_PACKAGE_NAME osiview)
    set(CPACK_COMPONENT_VIEWER_DESCRIPTION "See ASAM OSI traces: scene, every message, objects, time")
    # Drawn with OpenGL, which it loads; models run in a process of the programs.
    set(CPACK_DEBIAN_VIEWER_PACKAGE_DEPENDS "qt6-qpa-plugins, libegl1")
    set(CPACK_DEBIAN_VIEWER_PACKAGE_RECOMMENDS "ositrace ${same}, libgl1-mesa-dri, fonts-dejavu-core, shared-mime-info")
    set(CPACK_DEBIAN_VIEWER_PACKAGE_SUGGESTS "ffmpeg")
endif()
if(TARGET fmus)
    list(APPEND CPACK_COMPONENTS_ALL fmus)
    set(CPACK_DEBIAN_FMUS_PACKAGE_NAME ositrace-fmus)
    set(CPACK_COMPONENT_FMUS_DESCRIPTION "FMUs for ASAM OSI: trace player and writer, dummy sensor and source")
endif()
if(TARGET ositrace-bench)
    list(APPEND CPACK_COMPONENTS_ALL bench)
    set(CPACK_DEBIAN_BENCH_PACKAGE_NAME ositrace-bench)
    set(CPACK_COMPONENT_BENCH_DESCRIPTION "Benchmarks of Protobuf and FlatBuffers with ASAM OSI: osiplay bench")
    set(CPACK_DEBIAN_BENCH_PACKAGE_DEPENDS "ositrace ${same}")
endif()
include(CPack)

# Only in a package.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    install(FILES LICENSE RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
endforeach()
