# SPDX-License-Identifier: MPL-2.0
# cmake -D OUTPUT=embedded_schema.cpp -D SET=osi.desc -D DESCRIPTOR_PROTO=descriptor.desc -P embed_schema.cmake
# Without DESCRIPTOR_PROTO that one is empty.

# The definition of a function that returns the bytes of a file.
function(embed file function result)
    if(file STREQUAL "")
        set(${result} "Bytes ${function}() noexcept { return {}; }\n" PARENT_SCOPE)
        return()
    endif()
    file(READ "${file}" hex HEX)
    if(hex STREQUAL "")
        message(FATAL_ERROR "${file} is empty.")
    endif()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
        bytes "${bytes}")
    set(${result} "static const unsigned char ${function}_bytes[] = {
${bytes}};

Bytes ${function}() noexcept { return std::as_bytes(std::span(${function}_bytes)); }
" PARENT_SCOPE)
endfunction()

embed("${SET}" embedded_descriptor_set set)
embed("${DESCRIPTOR_PROTO}" embedded_descriptor_proto descriptor_proto)
file(WRITE "${OUTPUT}" "// Generated from descriptor sets by cmake/embed_schema.cmake.
#include <span>

#include \"formats/schema/embedded_schema.hpp\"

namespace ositrace {

${set}
${descriptor_proto}
}  // namespace ositrace
")
