// SPDX-License-Identifier: MPL-2.0
#include "formats/text/text_output.hpp"

#include <array>
#include <cstdint>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/utf8.hpp>

namespace ositrace::text {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

/// How a byte is written: itself (0), a letter after a backslash, or `number`.
using Escapes = std::array<char, 256>;
constexpr char number = 1;

constexpr Escapes c_escapes = [] {
    Escapes table{};
    for (std::size_t c = 0; c < table.size(); ++c)
        if (c < 0x20 || c >= 0x7f) table[c] = number;
    for (const auto& [c, letter] :
         {std::pair{'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'"', '"'}, {'\'', '\''}, {'\\', '\\'}})
        table[static_cast<unsigned char>(c)] = letter;
    return table;
}();

constexpr Escapes json_escapes = [] {
    Escapes table{};
    for (std::size_t c = 0; c < table.size(); ++c)
        if (c < 0x20 || c >= 0x7f) table[c] = number;
    for (const auto& [c, letter] :
         {std::pair{'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'\b', 'b'}, {'\f', 'f'}, {'"', '"'}, {'\\', '\\'}})
        table[static_cast<unsigned char>(c)] = letter;
    return table;
}();

/// How many characters from the front need no escape.
std::size_t plain_length(std::string_view text, const Escapes& escapes) noexcept
{
    std::size_t length = 0;
    while (length < text.size() && escapes[static_cast<unsigned char>(text[length])] == 0) ++length;
    return length;
}

void put_octal(unsigned char c, Output& out)
{
    const char digits[] = {'\\', static_cast<char>('0' + (c >> 6)), static_cast<char>('0' + (c >> 3 & 7)),
                           static_cast<char>('0' + (c & 7))};
    out.put({digits, sizeof digits});
}

[[noreturn]] void refuse(std::string_view rest)
{
    const auto byte = static_cast<unsigned char>(rest.front());
    throw Error(Cause::malformed, std::string("the string is not UTF-8: byte 0x") + hex_digits[byte >> 4] +
                                      hex_digits[byte & 15] + ", which JSON cannot carry; Protobuf text format can");
}

/// A control character, or a character beyond ASCII. Returns its length.
std::size_t put_json_number(std::string_view rest, Output& out)
{
    const auto c = static_cast<unsigned char>(rest.front());
    if (c < 0x80) {
        out.put("\\u00");
        out.put(hex_digits[c >> 4]);
        out.put(hex_digits[c & 15]);
        return 1;
    }
    const auto length = utf8_length(rest);
    if (length == 0) refuse(rest);
    out.put(rest.substr(0, length));
    return length;
}

}  // namespace

void put_c_quoted(std::string_view text, Output& out)
{
    out.put('"');
    for (;;) {
        const auto plain = plain_length(text, c_escapes);
        out.put(text.substr(0, plain));
        if (plain == text.size()) break;
        const auto c = static_cast<unsigned char>(text[plain]);
        if (c_escapes[c] == number) {
            put_octal(c, out);
        } else {
            out.put('\\');
            out.put(c_escapes[c]);
        }
        text.remove_prefix(plain + 1);
    }
    out.put('"');
}

void put_json_quoted(std::string_view text, Output& out)
{
    out.put('"');
    for (;;) {
        const auto plain = plain_length(text, json_escapes);
        out.put(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty()) break;
        const auto escape = json_escapes[static_cast<unsigned char>(text.front())];
        if (escape == number) {
            text.remove_prefix(put_json_number(text, out));
            continue;
        }
        out.put('\\');
        out.put(escape);
        text.remove_prefix(1);
    }
    out.put('"');
}

void put_base64_quoted(Bytes bytes, Output& out)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.put('"');
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto left = bytes.size() - i;
        const auto byte = [&](std::size_t n) { return n < left ? std::to_integer<std::uint32_t>(bytes[i + n]) : 0u; };
        const auto group = byte(0) << 16 | byte(1) << 8 | byte(2);
        const char four[] = {digits[group >> 18], digits[group >> 12 & 63], left > 1 ? digits[group >> 6 & 63] : '=',
                             left > 2 ? digits[group & 63] : '='};
        out.put({four, sizeof four});
    }
    out.put('"');
}

}  // namespace ositrace::text
