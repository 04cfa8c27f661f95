// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ositrace::text {

/// Walks over text in Protobuf's text format and stops at what is outside of all braces: names of fields, and lines
/// that say that a message begins; also at those at the beginning of a line inside of braces, where the next message
/// begins if a brace is missing. Knows strings, comments, lists and extension names; whatever else is wrong passes.
/// Every byte is looked at once.
class TextFormatScanner {
public:
    struct Stop {
        std::size_t begin = 0;
        std::string_view name;  ///< of the field; empty: a message begins
        bool inside = false;    ///< of braces, at the beginning of a line
    };

    /// The next stop in `text`, which may have grown at its end since the last call; nullopt when it ends before.
    std::optional<Stop> next(std::string_view text);
    /// The text is to be cut before `place`, where a stop was reported: walk on from there, with that stop again.
    void restart() { *this = {}; }

private:
    enum class State : unsigned char {
        name_expected,
        in_name,
        in_extension,
        after_name,
        value,
        in_token,
        after_string
    };

    std::optional<Stop> outside(std::string_view text, char c);
    std::optional<Stop> name_ends(std::string_view text);
    void value_begins(char c);
    void inside(char c);
    std::optional<Stop> name_in_line(std::string_view text);
    void walk_string(std::string_view text);
    std::optional<Stop> walk_comment(std::string_view text);
    void open();

    State state_ = State::name_expected;
    std::size_t position_ = 0;
    std::size_t begin_ = 0;  ///< of the name or comment
    std::size_t depth_ = 0;
    char quote_ = 0;        ///< in a string
    bool escaped_ = false;  ///< after a backslash
    bool comment_ = false;
};

}  // namespace ositrace::text
