# SPDX-License-Identifier: MPL-2.0
# What is in a wheel: the module, the programs that the verbs run, and the shared libraries that these need.

foreach(program IN ITEMS osiconvert osiplay ositrace-fmu-host)
    if(NOT TARGET ${program})
        message(FATAL_ERROR "The package needs ${program}: install the packages that cmake/debian_packages.sh lists.")
    endif()
endforeach()

# See the source.
foreach(target IN ITEMS ositrace_python osiconvert osiplay)
    target_sources(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src/older_symbols.cpp")
    set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/older_symbols.cpp" TARGET_DIRECTORY ${target}
        PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_link_options(${target} PRIVATE
        LINKER:--wrap=_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE LINKER:--wrap=hypotf)
endforeach()

# An RPATH, unlike a RUNPATH, is also searched for what the libraries in ositrace.libs need themselves.
set_target_properties(osiplay PROPERTIES INSTALL_RPATH "$ORIGIN/../../ositrace.libs")
target_link_options(osiplay PRIVATE LINKER:--disable-new-dtags)

install(TARGETS ositrace_python LIBRARY DESTINATION ositrace COMPONENT python)
install(FILES ${module_files} DESTINATION ositrace COMPONENT python)
install(FILES ${spark_module_files} DESTINATION ositrace/spark COMPONENT python)
install(TARGETS osiconvert osiplay ositrace-fmu-host RUNTIME DESTINATION ositrace/bin COMPONENT python)
# A wheel has no links: each library has the one name by which it is found.
install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:osiplay>\" RESOLVED_DEPENDENCIES_VAR libraries
        PRE_EXCLUDE_REGEXES [[^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so]] [[^ld-linux]])
    file(MAKE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}/ositrace.libs\")
    foreach(library IN LISTS libraries)
        get_filename_component(name \"\${library}\" NAME)
        file(REAL_PATH \"\${library}\" file)
        file(COPY_FILE \"\${file}\" \"\${CMAKE_INSTALL_PREFIX}/ositrace.libs/\${name}\")
    endforeach()" COMPONENT python)
