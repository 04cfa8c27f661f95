// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "formats/text/text_boundary.hpp"

namespace ositrace::text {

/// Walks over JSON objects. Knows strings and nesting; whatever else is wrong inside an object passes. Every byte is
/// looked at once.
class JsonScanner {
public:
    /// The next object that ends in `text`, as Splitter::next(). Throws Error (malformed) where no object begins.
    std::optional<MessageRange> next(std::string_view text, bool at_end);
    /// Continue after the range that was returned.
    void restart() { position_ = 0; }

    /// Calls `take` with the names of the outermost object's members, escapes and all, as far as `text` goes.
    template <class Take>
    static void member_names(std::string_view text, Take&& take);

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

template <class Take>
void JsonScanner::member_names(std::string_view text, Take&& take)
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

}  // namespace ositrace::text
