// SPDX-License-Identifier: MPL-2.0
#include "formats/text/text_format_scanner.hpp"

#include <utility>

#include "formats/text/text_boundary.hpp"

namespace ositrace::text {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
bool opens(char c) { return c == '{' || c == '<' || c == '['; }
bool closes(char c) { return c == '}' || c == '>' || c == ']'; }
bool is_quote(char c) { return c == '"' || c == '\''; }
bool begins_line(std::string_view text, std::size_t place) { return place == 0 || text[place - 1] == '\n'; }
bool ends_token(char c)
{
    return is_space(c) || c == ',' || c == ';' || c == '#' || opens(c) || closes(c) || is_quote(c);
}

}  // namespace

std::optional<TextFormatScanner::Stop> TextFormatScanner::next(std::string_view text)
{
    while (position_ < text.size()) {
        const char c = text[position_];
        std::optional<Stop> stop;
        if (quote_ != 0) {
            walk_string(text);
        } else if (comment_) {
            stop = walk_comment(text);
        } else if (c == '#' && state_ != State::in_name && state_ != State::in_token) {
            comment_ = true;
            begin_ = position_++;
        } else if (depth_ != 0 && is_name(c) && begins_line(text, position_)) {
            stop = name_in_line(text);
            if (!stop) return std::nullopt;
        } else if (depth_ != 0) {
            inside(c);
        } else {
            stop = outside(text, c);
        }
        if (stop) return stop;
    }
    return std::nullopt;
}

void TextFormatScanner::walk_string(std::string_view text)
{
    for (; position_ < text.size(); ++position_) {
        const char c = text[position_];
        if (escaped_) {
            escaped_ = false;
        } else if (c == '\\') {
            escaped_ = true;
        } else if (c == quote_ ||
                   c == '\n') {  // a string ends with its line: so a forgotten quote spoils one message only
            quote_ = 0;
            ++position_;
            return;
        }
    }
}

std::optional<TextFormatScanner::Stop> TextFormatScanner::walk_comment(std::string_view text)
{
    const auto end = text.find('\n', position_);
    position_ = end == std::string_view::npos ? text.size() : end + 1;
    if (end == std::string_view::npos) return std::nullopt;
    comment_ = false;
    auto line = text.substr(begin_, position_ - begin_ - 1);
    if (line.ends_with('\r')) line.remove_suffix(1);  // an editor's line end
    if (line != message_begins || (depth_ != 0 && !begins_line(text, begin_))) return std::nullopt;
    return Stop{begin_, {}, depth_ != 0};
}

void TextFormatScanner::inside(char c)
{
    ++position_;
    if (opens(c))
        ++depth_;
    else if (closes(c))
        --depth_;
    else if (is_quote(c))
        quote_ = c;
}

/// Once its end is there.
std::optional<TextFormatScanner::Stop> TextFormatScanner::name_in_line(std::string_view text)
{
    auto end = position_;
    while (end < text.size() && is_name(text[end])) ++end;
    if (end == text.size()) return std::nullopt;
    const auto begin = std::exchange(position_, end);
    return Stop{begin, text.substr(begin, end - begin), true};
}

void TextFormatScanner::open()
{
    ++depth_;
    ++position_;
    state_ = State::name_expected;
}

std::optional<TextFormatScanner::Stop> TextFormatScanner::name_ends(std::string_view text)
{
    state_ = State::after_name;
    return Stop{begin_, text.substr(begin_, position_ - begin_)};
}

void TextFormatScanner::value_begins(char c)
{
    if (opens(c)) return open();
    ++position_;
    if (is_quote(c)) {
        quote_ = c;
        state_ = State::after_string;
    } else if (!is_space(c) && c != '-') {
        state_ = State::in_token;
    }
}

std::optional<TextFormatScanner::Stop> TextFormatScanner::outside(std::string_view text, char c)
{
    switch (state_) {
    case State::name_expected:
        begin_ = position_++;
        if (c == '[')
            state_ = State::in_extension;
        else if (is_name(c))
            state_ = State::in_name;
        return std::nullopt;
    case State::in_name:
        if (!is_name(c)) return name_ends(text);
        ++position_;
        return std::nullopt;
    case State::in_extension: ++position_; return c == ']' ? name_ends(text) : std::nullopt;
    case State::after_name:
        if (opens(c)) {
            open();
        } else if (c == ':') {
            state_ = State::value;
            ++position_;
        } else if (is_space(c)) {
            ++position_;
        } else {
            state_ = State::name_expected;
        }
        return std::nullopt;
    case State::value: value_begins(c); return std::nullopt;
    case State::after_string:  // strings that follow each other are one
        if (is_quote(c))
            quote_ = c;
        else if (!is_space(c)) {
            state_ = State::name_expected;
            return std::nullopt;
        }
        ++position_;
        return std::nullopt;
    case State::in_token:
        if (ends_token(c))
            state_ = State::name_expected;
        else
            ++position_;
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace ositrace::text
