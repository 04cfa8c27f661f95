// SPDX-License-Identifier: MPL-2.0
#include "formats/text/json_scanner.hpp"

#include <string>

#include <ositrace/error.hpp>

namespace ositrace::text {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

class JsonSplitter final : public Splitter {
public:
    std::optional<MessageRange> next(std::string_view text, bool at_end) override
    {
        if (const auto range = scanner_.next(text)) {
            scanner_.restart();
            return range;
        }
        if (const auto begin = scanner_.open_object(); at_end && begin)
            throw Error(Cause::truncated, {.offset = begin}, "the object that begins here has no end");
        return std::nullopt;
    }

private:
    JsonScanner scanner_;
};

}  // namespace

std::optional<MessageRange> JsonScanner::next(std::string_view text)
{
    for (; position_ < text.size(); ++position_) {
        if (depth_ == 0) between(text, text[position_]);
        else if (inside(text[position_])) return MessageRange{begin_, ++position_};
    }
    return std::nullopt;
}

std::optional<std::size_t> JsonScanner::open_object() const noexcept
{
    return depth_ == 0 ? std::nullopt : std::optional(begin_);
}

void JsonScanner::between(std::string_view text, char c)
{
    if (is_space(c) || (in_array_ && c == ',')) return;
    if (c == '{') {
        begin_ = position_;
        depth_ = 1;
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
    if (in_string_) {
        if (escaped_) escaped_ = false;
        else if (c == '\\') escaped_ = true;
        else in_string_ = c != '"';
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
