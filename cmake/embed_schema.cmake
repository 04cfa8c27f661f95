# SPDX-License-Identifier: MPL-2.0
# cmake -D INPUT=osi.desc -D OUTPUT=embedded_schema.cpp -P embed_schema.cmake

file(READ "${INPUT}" hex HEX)
if(hex STREQUAL "")
    message(FATAL_ERROR "${INPUT} is empty.")
endif()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
file(WRITE "${OUTPUT}" "// Generated from a descriptor set by cmake/embed_schema.cmake.
#include <span>

#include \"formats/schema/embedded_schema.hpp\"

namespace ositrace {

static const unsigned char descriptor_set[] = {
${bytes}};

Bytes embedded_descriptor_set() noexcept { return std::as_bytes(std::span(descriptor_set)); }

}  // namespace ositrace
")
