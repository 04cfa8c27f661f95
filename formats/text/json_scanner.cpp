// SPDX-License-Identifier: MPL-2.0
#include "formats/text/json_scanner.hpp"

#include <string>

#include <ositrace/error.hpp>

namespace ositrace::text {

namespace {

bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

class JsonSplitter final : public Splitter {
public:
    std::optional<MessageRange> next(std::string_view text, bool at_end) override
    {
        const auto range = scanner_.next(text, at_end);
        if (range) scanner_.restart();
        return range;
    }

private:
    JsonScanner scanner_;
};

}  // namespace

std::optional<MessageRange> JsonScanner::next(std::string_view text, bool at_end)
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
    return depth_ != 0 && at_end ? std::optional(take(true)) : std::nullopt;
}

MessageRange JsonScanner::take(bool cut_off)
{
    a_line_each_ = a_line_each_ || (!cut_off && !in_array_ && line_breaks_ == 0);
    depth_ = 0;
    line_breaks_ = 0;
    in_string_ = escaped_ = false;
    return {begin_, position_, cut_off};
}

std::optional<bool> JsonScanner::line_ends_object(std::string_view text, bool at_end) const
{
    if (in_string_) return true;  // no string of JSON holds a line break
    if (position_ + 1 == text.size()) return at_end ? std::optional(false) : std::nullopt;
    if (text[position_ + 1] != '{') return false;
    // Behind these an object may follow, in a new line too, where objects are not written a line each.
    return a_line_each_ || (last_ != ':' && last_ != ',' && last_ != '[');
}

void JsonScanner::between(std::string_view text, char c)
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

bool JsonScanner::inside(char c)
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

std::unique_ptr<Splitter> json_splitter() { return std::make_unique<JsonSplitter>(); }

}  // namespace ositrace::text
