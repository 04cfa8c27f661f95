// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/printable.hpp"

#include <ositrace/utf8.hpp>

namespace ositrace::app {

namespace {

void append_escaped(std::string& out, unsigned char c)
{
    constexpr std::string_view digits = "0123456789abcdef";
    switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: out.append("\\x").append(1, digits[c >> 4]).append(1, digits[c & 15]);
    }
}

}  // namespace

std::string printable(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i != text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto length = utf8_length(text.substr(i));
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
        if (c < 0x20 || c == 0x7f || length == 0) {
            append_escaped(out, c);
        } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009f
            append_escaped(out, c);
            append_escaped(out, static_cast<unsigned char>(next));
            ++i;
        } else {
            out += text.substr(i, length);
            i += length - 1;
        }
    }
    return out;
}

}  // namespace ositrace::app
