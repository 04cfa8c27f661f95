// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <ositrace/utf8.hpp>

namespace ositrace::app {
namespace {

std::string escaped_control(unsigned char c)
{
    constexpr std::string_view digits = "0123456789abcdef";
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    return std::string("\\u00") + digits[c >> 4u] + digits[c & 15u];
}

}  // namespace

void JsonWriter::separate()
{
    constexpr std::size_t piece_bytes = std::size_t{64} << 10;
    if (put_ && text_.size() >= piece_bytes) {
        put_(text_);
        text_.clear();
    }
    if (!after_key_ && !filled_.empty()) {
        if (filled_.back()) text_ += form_ == Form::line ? ", " : ",";
        filled_.back() = true;
        put_line_break();
    }
    after_key_ = false;
}

void JsonWriter::put_line_break()
{
    if (form_ == Form::indented) text_ += '\n' + std::string(2 * filled_.size(), ' ');
}

JsonWriter& JsonWriter::begin(char bracket)
{
    separate();
    text_ += bracket;
    filled_.push_back(false);
    return *this;
}

JsonWriter& JsonWriter::end(char bracket)
{
    const bool filled = filled_.back();
    filled_.pop_back();
    if (filled) put_line_break();
    text_ += bracket;
    return *this;
}

JsonWriter& JsonWriter::begin_object() { return begin('{'); }
JsonWriter& JsonWriter::end_object() { return end('}'); }
JsonWriter& JsonWriter::begin_array() { return begin('['); }
JsonWriter& JsonWriter::end_array() { return end(']'); }

JsonWriter& JsonWriter::key(std::string_view name)
{
    separate();
    put_string(name);
    text_ += ": ";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text)
{
    separate();
    put_string(text);
    return *this;
}

JsonWriter& JsonWriter::value(bool flag)
{
    separate();
    text_ += flag ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number)
{
    separate();
    text_ += std::to_string(number);
    return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number)
{
    separate();
    text_ += std::to_string(number);
    return *this;
}

JsonWriter& JsonWriter::value(double number)
{
    if (!std::isfinite(number)) return null();
    separate();
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    text_.append(buffer.data(), end);
    return *this;
}

JsonWriter& JsonWriter::null()
{
    separate();
    text_ += "null";
    return *this;
}

JsonWriter& JsonWriter::nanoseconds(std::int64_t count) { return value(std::to_string(count)); }

void JsonWriter::put_string(std::string_view text)
{
    text_ += '"';
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto c = static_cast<unsigned char>(text.front());
        if (length == 0) {
            text_ += "\xef\xbf\xbd";
        } else if (c < 0x20 || c == 0x7f) {
            text_ += escaped_control(c);
        } else {
            if (c == '"' || c == '\\') text_ += '\\';
            text_ += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    text_ += '"';
}

}  // namespace ositrace::app
