# SPDX-License-Identifier: MPL-2.0
# What is in a wheel: the module, the programs that the verbs run, and osiview, whose Qt comes from the package PyQt6-Qt6.
# All are linked from the objects of the programs of the build (target wheel_parts), so a build that is there compiles
# next to nothing. They carry all they need but the libraries that every system has, Qt and ZeroMQ.

function(ositrace_wheel_lacks reason)
    if(SKBUILD)
        message(FATAL_ERROR "A wheel cannot be built: ${reason}")
    endif()
    ositrace_missing("wheels" "${reason}")
endfunction()

foreach(program IN ITEMS osiconvert osiplay osiview ositrace-fmu-host)
    if(NOT TARGET ${program})
        get_property(missing GLOBAL PROPERTY OSITRACE_MISSING)
        list(JOIN missing "; " missing)
        ositrace_wheel_lacks("${program} is not built (${missing})")
        return()
    endif()
endforeach()
if(NOT TARGET ositrace_text OR NOT TARGET ositrace_fmu)
    ositrace_wheel_lacks("libprotobuf or pugixml (libprotobuf-dev, libpugixml-dev) is missing")
    return()
endif()
ositrace_find_archives(archives error)
if(error)
    ositrace_wheel_lacks("${error}")
    return()
endif()
foreach(name IN ITEMS protobuf pugixml)
    string(TOUPPER ${name} upper)
    find_library(OSITRACE_${upper}_ARCHIVE lib${name}.a)
    mark_as_advanced(OSITRACE_${upper}_ARCHIVE)
    if(NOT OSITRACE_${upper}_ARCHIVE)
        ositrace_wheel_lacks("lib${name}.a (lib${name}-dev) is missing")
        return()
    endif()
    list(APPEND archives "${OSITRACE_${upper}_ARCHIVE}")
endforeach()

set(wheel_folder "${PROJECT_BINARY_DIR}/wheel")
find_package(Threads REQUIRED)
add_library(wheel_objects OBJECT EXCLUDE_FROM_ALL src/older_symbols.cpp)
ositrace_target(wheel_objects)
add_library(wheel_zmq OBJECT EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/lib/net/zmq_at_run_time.cpp")
ositrace_target(wheel_zmq)
target_include_directories(wheel_zmq PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/formats/include"
    "${PROJECT_SOURCE_DIR}/lib/include" $<$<BOOL:${Libzmq_INCLUDE_DIR}>:${Libzmq_INCLUDE_DIR}>)

# usage: ositrace_wheel_program(NAME [PART...]): the archives of these targets of ours, which may need each other
function(ositrace_wheel_program name)
    set(target wheel_${name})
    add_executable(${target} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}> $<TARGET_OBJECTS:wheel_objects>)
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${name}
        LINKER_LANGUAGE CXX
        RUNTIME_OUTPUT_DIRECTORY "${wheel_folder}"
        BUILD_WITH_INSTALL_RPATH ON)
    list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
    if(ARGN)
        add_dependencies(${target} ${ARGN})
        target_link_libraries(${target} PRIVATE -Wl,--start-group ${files} ${archives} -Wl,--end-group)
    endif()
    target_link_libraries(${target} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
    # The libraries of Qt must not take the compressors that are inside for those of the system.
    target_link_options(${target} PRIVATE ${OSITRACE_OLDER_SYMBOLS} LINKER:--as-needed LINKER:--exclude-libs,ALL
        $<$<CONFIG:Release,MinSizeRel>:-s>)
    set_property(GLOBAL APPEND PROPERTY OSITRACE_WHEEL_TARGETS ${target})
    install(PROGRAMS $<TARGET_FILE:${target}> DESTINATION ositrace/bin COMPONENT python EXCLUDE_FROM_ALL)
endfunction()

set(parts ositrace_text ositrace_static)
ositrace_wheel_program(osiconvert ositrace_terminal ositrace_traffic ositrace_compare ositrace_picture ositrace_query
    ositrace_table ositrace_field_docs ositrace_scene ${parts})
list(PREPEND parts ositrace_dummy ositrace_scene ositrace_net ositrace_fmu)
set(web_parts)
if(TARGET ositrace_web_sink)
    set(web_parts ositrace_web_sink ositrace_web_page ositrace_picture)
endif()
ositrace_wheel_program(osiplay ositrace_terminal ${web_parts} ${parts})
ositrace_wheel_program(osiview osiview_core osiview_panels osiview_scene osiview_render osiview_text ositrace_terminal
    ositrace_compare ositrace_field_docs ositrace_picture ositrace_query ositrace_series ositrace_table ositrace_traffic
    ositrace_web_page ${parts})
ositrace_wheel_program(ositrace-fmu-host)
foreach(program IN ITEMS osiplay osiview)
    target_sources(wheel_${program} PRIVATE $<TARGET_OBJECTS:wheel_zmq>)
endforeach()
find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets OpenGL OpenGLWidgets)  # its targets are those of a folder
target_link_libraries(wheel_osiview PRIVATE Qt6::OpenGLWidgets Qt6::OpenGL Qt6::Widgets Qt6::Gui Qt6::Core)
# Beside it in site-packages, or in an archive of packaging/make.sh. Qt finds its plugins by the file.
set_target_properties(wheel_osiview PROPERTIES INSTALL_RPATH "$ORIGIN/../../PyQt6/Qt6/lib:$ORIGIN/../qt/lib")
file(WRITE "${wheel_folder}/qt.conf" "[Paths]\nPrefix=../../PyQt6/Qt6\n")
install(FILES "${wheel_folder}/qt.conf" DESTINATION ositrace/bin COMPONENT python EXCLUDE_FROM_ALL)

install(TARGETS ositrace_python LIBRARY DESTINATION ositrace COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${module_files} DESTINATION ositrace COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${spark_module_files} DESTINATION ositrace/spark COMPONENT python EXCLUDE_FROM_ALL)

get_property(targets GLOBAL PROPERTY OSITRACE_WHEEL_TARGETS)
add_custom_target(wheel_parts DEPENDS ${targets} ositrace_python)
