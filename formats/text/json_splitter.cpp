// SPDX-License-Identifier: MPL-2.0
#include "formats/text/text_boundary.hpp"

#include <string>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace::text {

namespace {

bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Knows strings and nesting; whatever else is wrong inside an object passes.
class JsonSplitter final : public MessageSplitter {
public:
    std::optional<MessageRange> next(std::string_view text, bool at_end) override;

private:
    void between(std::string_view text, char c);
    /// True when the object ends.
    bool inside(char c);
    /// Does the open object end with the line, unfinished? nullopt: the next line, which is not there yet, decides.
    [[nodiscard]] std::optional<bool> line_ends_object(std::string_view text, bool at_end) const;
    MessageRange take(bool cut_off);

    std::size_t position_ = 0;
    std::size_t begin_ = 0;
    std::size_t depth_ = 0;        ///< of braces and brackets in the object
    bool in_array_ = false;        ///< of the objects
    bool a_line_each_ = false;     ///< an object stood in one line
    std::size_t line_breaks_ = 0;  ///< in the object
    char last_ = 0;                ///< in the object, spaces aside
    bool in_string_ = false;
    bool escaped_ = false;
};

std::optional<MessageRange> JsonSplitter::next(std::string_view text, bool at_end)
{
    for (; position_ < text.size(); ++position_) {
        const char c = text[position_];
        if (depth_ == 0) {
            between(text, c);
            continue;
        }
        if (c == '\n') {
            const auto ends = line_ends_object(text, at_end);
            if (!ends) return std::nullopt;
            if (*ends) return take(true);
            ++line_breaks_;
        }
        if (!inside(c)) continue;
        ++position_;
        return take(false);
    }
    if (!at_end) return std::nullopt;
    if (depth_ != 0) return take(true);
    if (std::exchange(in_array_, false))
        throw Error(Cause::truncated, {.offset = position_}, "the array of the messages has no end");
    return std::nullopt;
}

MessageRange JsonSplitter::take(bool cut_off)
{
    a_line_each_ = a_line_each_ || (!cut_off && !in_array_ && line_breaks_ == 0);
    depth_ = 0;
    line_breaks_ = 0;
    in_string_ = escaped_ = false;
    return {begin_, std::exchange(position_, 0), cut_off};
}

std::optional<bool> JsonSplitter::line_ends_object(std::string_view text, bool at_end) const
{
    if (in_string_) return true;  // no string of JSON holds a line break
    if (position_ + 1 == text.size()) return at_end ? std::optional(false) : std::nullopt;
    if (text[position_ + 1] != '{') return false;
    // Behind these an object may follow, in a new line too, where objects are not written a line each.
    return a_line_each_ || (last_ != ':' && last_ != ',' && last_ != '[');
}

void JsonSplitter::between(std::string_view text, char c)
{
    if (is_json_space(c) || (in_array_ && c == ',')) return;
    if (c == '{') {
        begin_ = position_;
        depth_ = 1;
        last_ = c;
    } else if (c == '[' && !in_array_) {
        in_array_ = true;
    } else if (c == ']' && in_array_) {
        in_array_ = false;
    } else {
        throw Error(Cause::malformed, {.offset = position_},
                    "found '" + std::string(text.substr(position_, 1)) + "' where a JSON object begins, expected '{'");
    }
}

bool JsonSplitter::inside(char c)
{
    if (!is_json_space(c)) last_ = c;
    if (in_string_) {
        if (escaped_)
            escaped_ = false;
        else if (c == '\\')
            escaped_ = true;
        else
            in_string_ = c != '"';
    } else if (c == '"') {
        in_string_ = true;
    } else if (c == '{' || c == '[') {
        ++depth_;
    } else if (c == '}' || c == ']') {
        return --depth_ == 0;
    }
    return false;
}

}  // namespace

void json_member_names(std::string_view text, const std::function<void(std::string_view)>& take)
{
    std::size_t depth = 0;
    std::size_t string_begin = 0;
    bool in_string = false;
    bool name_expected = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c != '"') continue;
            in_string = false;
            if (depth == 1 && name_expected) take(text.substr(string_begin, i - string_begin));
            name_expected = false;
        } else if (c == '"') {
            in_string = true;
            string_begin = i + 1;
        } else if (c == '{' || (c == '[' && depth != 0)) {
            ++depth;
            name_expected = depth == 1;
        } else if ((c == '}' || c == ']') && depth != 0) {
            --depth;
        } else if (c == ',') {
            name_expected = depth == 1;
        }
    }
}

std::unique_ptr<MessageSplitter> json_splitter() { return std::make_unique<JsonSplitter>(); }

}  // namespace ositrace::text
