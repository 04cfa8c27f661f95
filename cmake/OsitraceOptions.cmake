# SPDX-License-Identifier: MPL-2.0
# The options of the build, and ositrace_target(), which is called for every target of the project.

include(GNUInstallDirs)

option(OSITRACE_APPS  "Build the command-line programs" ${PROJECT_IS_TOP_LEVEL})
option(OSITRACE_FMUS  "Build the FMUs (need the FMI headers and static compressors)" ${PROJECT_IS_TOP_LEVEL})
option(OSITRACE_GUI   "Build the viewer (needs Qt 6)" ${PROJECT_IS_TOP_LEVEL})
option(OSITRACE_REMOTE_TRACES "Build the module with which osiview opens https:// (needs Qt 6 Network)"
    ${PROJECT_IS_TOP_LEVEL})
option(OSITRACE_PYTHON_PACKAGE "Build the Python package into the build tree (needs the headers of Python)" OFF)
option(OSITRACE_TESTS "Build the tests (needs Catch2)" ${PROJECT_IS_TOP_LEVEL})
option(OSITRACE_BENCH "Build the benchmarks (need Protobuf and FlatBuffers)" OFF)
option(OSITRACE_FUZZ  "Build the fuzz targets (need clang with libFuzzer)" OFF)
option(OSITRACE_WERROR "Treat warnings as errors" OFF)
option(OSITRACE_UNITY "Compile sources of a target together: a build from nothing takes a third of the time" ON)
set(OSITRACE_SANITIZE "" CACHE STRING "Sanitizers, as in 'address;undefined' or 'thread'")
set(OSITRACE_SANITIZE_NOT "" CACHE STRING "Checks of these that are left out, as in 'vptr'")
set(OSITRACE_NATIVE_BUILD "" CACHE PATH
    "When cross-compiling: the release build of the same sources for this machine, whose programs the build runs")
set(OSITRACE_SCHEMA "" CACHE FILEPATH
    "FileDescriptorSet to build in; when given, the build needs neither network nor Python")

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
    endif()
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    find_program(CCACHE_PROGRAM ccache)
    mark_as_advanced(CCACHE_PROGRAM)
    if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    endif()
endif()

if(SKBUILD)  # a wheel holds what its programs need
    list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

set(OSITRACE_WARNINGS
    -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wold-style-cast -Wcast-align -Wcast-qual
    -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wextra-semi -Wundef -Wunused -Wformat=2
    -Wdouble-promotion -Wno-missing-field-initializers  # {.file = name}: the rest has its default on purpose
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond;-Wlogical-op>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 reports std::string + "text" wrongly (its bug 105651)
    $<$<BOOL:${OSITRACE_WERROR}>:-Werror>)
if(OSITRACE_UNITY)
    # A local name may be one of the next file, and a class in a .cpp file may have a member of the anonymous namespace.
    list(APPEND OSITRACE_WARNINGS $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local;-Wno-subobject-linkage>)
else()
    list(APPEND OSITRACE_WARNINGS -Wshadow)
endif()

# The language, warnings, visibility and sanitizers of one target.
function(ositrace_target target)
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(${target} PROPERTIES
        CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        POSITION_INDEPENDENT_CODE ON
        OSITRACE_TARGET ON)
    target_compile_options(${target} PRIVATE ${OSITRACE_WARNINGS})
    if(OSITRACE_SANITIZE)
        list(JOIN OSITRACE_SANITIZE "," sanitizers)
        target_compile_options(${target} PRIVATE
            -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        if(OSITRACE_SANITIZE_NOT)
            list(JOIN OSITRACE_SANITIZE_NOT "," checks)
            target_compile_options(${target} PRIVATE -fno-sanitize=${checks})
        endif()
        target_link_options(${target} PRIVATE -fsanitize=${sanitizers})
        # With sanitizers g++ 12 reports overruns that do not exist.
        target_compile_options(${target} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread;-Wno-stringop-overflow;-Wno-maybe-uninitialized>)
    endif()
    if(OSITRACE_WATCHED)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# Code that waits for a person, a file or the network: -O3 takes half as long again to compile it. With -O1 g++ 12
# reports members of an empty std::optional as uninitialized.
function(ositrace_compile_soon target)
    target_compile_options(${target} PRIVATE
        $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-O0> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()

# Adds to the summary what is not built, and why.
function(ositrace_missing what reason)
    set_property(GLOBAL APPEND PROPERTY OSITRACE_MISSING "${what}: ${reason}")
endfunction()
