# SPDX-License-Identifier: MPL-2.0
# The compressors and pugixml as archives that can be linked into a shared object: an FMU contains all it needs, because
# the importer's machine may not have the shared libraries.

include_guard(GLOBAL)
include(CheckCXXSourceCompiles)

# Sets `result`, a variable of the cache, to whether a shared object can be linked with these archives.
#
# Debian compiles them for position-independent programs. That is enough if the shared object does not export their names:
# the linker then needs no table.
function(ositrace_archives_link result)
    if(WIN32)  # where all code is position-independent
        set(${result} ON CACHE INTERNAL "")
        return()
    endif()
    file(WRITE "${CMAKE_BINARY_DIR}/nothing_exported.map" "{ local: *; };\n")
    set(CMAKE_REQUIRED_FLAGS -fPIC)
    set(CMAKE_REQUIRED_LINK_OPTIONS -shared LINKER:-z,defs LINKER:-z,text
        "LINKER:--version-script=${CMAKE_BINARY_DIR}/nothing_exported.map")
    set(CMAKE_REQUIRED_LIBRARIES ${ARGN})
    check_cxx_source_compiles("
        #include <lz4frame.h>
        #include <lzma.h>
        #include <pugixml.hpp>
        #include <zlib.h>
        #include <zstd.h>
        void* used[] = {
            reinterpret_cast<void*>(&ZSTD_compressStream2), reinterpret_cast<void*>(&ZSTD_decompressStream),
            reinterpret_cast<void*>(&LZ4F_compressFrame), reinterpret_cast<void*>(&LZ4F_decompress),
            reinterpret_cast<void*>(&inflate), reinterpret_cast<void*>(&lzma_code),
            reinterpret_cast<void*>(&lzma_stream_decoder)};
        bool parses(const char* text) { return pugi::xml_document().load_string(text); }
        int main() { return used[0] == nullptr || !parses(\"<a/>\"); }" ${result})
endfunction()

# usage: ositrace_find_archives(result error): the archives, or why there are none
function(ositrace_find_archives result error)
    set(archives)
    foreach(name IN ITEMS zstd lz4 z lzma pugixml)
        find_library(OSITRACE_${name}_ARCHIVE "lib${name}.a")
        mark_as_advanced(OSITRACE_${name}_ARCHIVE)
        if(NOT OSITRACE_${name}_ARCHIVE)
            set(${error} "lib${name}.a is missing" PARENT_SCOPE)
            return()
        endif()
        list(APPEND archives "${OSITRACE_${name}_ARCHIVE}")
    endforeach()
    find_library(OSITRACE_xxhash_ARCHIVE libxxhash.a)
    mark_as_advanced(OSITRACE_xxhash_ARCHIVE)

    ositrace_archives_link(OSITRACE_ARCHIVES_ARE_PIC ${archives})
    if(NOT OSITRACE_ARCHIVES_ARE_PIC AND OSITRACE_xxhash_ARCHIVE)
        list(APPEND archives "${OSITRACE_xxhash_ARCHIVE}")  # Debian 13's lz4 has its checksums there
        ositrace_archives_link(OSITRACE_ARCHIVES_ARE_PIC_WITH_XXHASH ${archives})
    endif()
    if(NOT OSITRACE_ARCHIVES_ARE_PIC AND NOT OSITRACE_ARCHIVES_ARE_PIC_WITH_XXHASH)
        list(JOIN archives ", " text)
        set(${error} "${text} cannot be linked into a shared object: one is compiled without -fPIC, or needs libxxhash.a (libxxhash-dev)"
            PARENT_SCOPE)
        return()
    endif()
    set(${result} ${archives} PARENT_SCOPE)
    set(${error} "" PARENT_SCOPE)
endfunction()
