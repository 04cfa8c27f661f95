// SPDX-License-Identifier: MPL-2.0
#include <ositrace/utf8.hpp>

namespace ositrace {

std::size_t utf8_length(std::string_view text) noexcept
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // Source: Unicode, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
    const auto second = byte(1);
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return overlong || beyond ? 0 : length;
}

std::size_t utf8_prefix(std::string_view text) noexcept
{
    std::size_t end = 0;
    while (end != text.size()) {
        const auto length = utf8_length(text.substr(end));
        if (length == 0) break;
        end += length;
    }
    return end;
}

std::string as_utf8(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const auto valid = utf8_prefix(text);
        result += text.substr(0, valid);
        text.remove_prefix(valid);
        if (text.empty()) break;
        result += "\xef\xbf\xbd";
        text.remove_prefix(1);
    }
    return result;
}

}  // namespace ositrace
