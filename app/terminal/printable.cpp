// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/printable.hpp"

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

std::size_t utf8_length(std::string_view text) noexcept
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80) return 0;
    }
    const unsigned second = byte(1);
    const bool refused = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
                         (first == 0xf4 && second > 0x8f);
    return refused ? 0 : length;
}

std::string printable(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i != text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
        if (c < 0x20 || c == 0x7f) {
            append_escaped(out, c);
        } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009f
            append_escaped(out, c);
            append_escaped(out, static_cast<unsigned char>(next));
            ++i;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace ositrace::app
