# SPDX-License-Identifier: MPL-2.0
# A program that is started often links libprotobuf and libstdc++ statically (the target property
# OSITRACE_STATIC_PROTOBUF): for a small file, binding the shared ones takes a third of its time. Not for a program that
# loads other people's code.

include_guard(GLOBAL)
include(CheckCXXSourceCompiles)

# Sets `result` to libprotobuf for target_link_libraries(): the archive for targets with the property, where it needs
# nothing else (later versions need Abseil), else the shared one. If you install the target, name what its users have to
# find.
function(ositrace_find_libprotobuf result)
    set(${result} protobuf::libprotobuf PARENT_SCOPE)
    get_filename_component(folder "${Protobuf_LIBRARY}" DIRECTORY)
    find_library(OSITRACE_PROTOBUF_ARCHIVE libprotobuf.a PATHS "${folder}" NO_DEFAULT_PATH)
    mark_as_advanced(OSITRACE_PROTOBUF_ARCHIVE)
    if(NOT OSITRACE_PROTOBUF_ARCHIVE OR OSITRACE_SANITIZE)
        return()
    endif()
    set(CMAKE_REQUIRED_INCLUDES ${Protobuf_INCLUDE_DIRS})
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++ -static-libgcc)
    set(CMAKE_REQUIRED_LIBRARIES "${OSITRACE_PROTOBUF_ARCHIVE}")
    check_cxx_source_compiles("
        #include <google/protobuf/util/json_util.h>
        int main(int, char** words)
        {
            return google::protobuf::util::BinaryToJsonString(nullptr, words[0], words[0], nullptr).ok();
        }"
        OSITRACE_PROTOBUF_ARCHIVE_LINKS)
    if(OSITRACE_PROTOBUF_ARCHIVE_LINKS)
        set(carries "$<BOOL:$<TARGET_PROPERTY:OSITRACE_STATIC_PROTOBUF>>")
        set(${result} "$<IF:${carries},${OSITRACE_PROTOBUF_ARCHIVE},protobuf::libprotobuf>" PARENT_SCOPE)
    endif()
endfunction()

# usage: ositrace_static_protobuf(PROGRAM)
# Not in a wheel, where libprotobuf is an archive anyway, and libstdc++.a needs a newer glibc than libstdc++.so.
function(ositrace_static_protobuf program)
    if(OSITRACE_PROTOBUF_ARCHIVE_LINKS AND NOT OSITRACE_SANITIZE AND NOT SKBUILD)
        set_target_properties(${program} PROPERTIES OSITRACE_STATIC_PROTOBUF ON)
        target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc)
    endif()
endfunction()
