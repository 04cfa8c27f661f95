// SPDX-License-Identifier: MPL-2.0
// Source: the Doxygen commands that OSI 3.8.0 uses.
#include "lib/field_docs/doc_text.hpp"

#include <array>

namespace ositrace {

namespace {

constexpr std::string_view blanks = " \t";

struct CommandRow {
    std::string_view command;
    std::string_view words;  ///< that replace it
    bool own_paragraph = false;
};

/// Other commands are dropped, but not the words after them.
constexpr std::array rows{
    CommandRow{"\\note", "Note:", true}, CommandRow{"\\attention", "Attention:", true}, CommandRow{"\\par", "", true},
    CommandRow{"\\see", "See", true},    CommandRow{"\\arg", "\u2022", true},           CommandRow{"\\brief", ""},
};

/// Lines that are useful in HTML pages only.
bool is_for_pages_only(std::string_view line) noexcept
{
    return line.starts_with("\\image") || line.starts_with("\\anchor") || line.starts_with("\\code") ||
           line.starts_with("\\endcode");
}

std::string_view trimmed(std::string_view text) noexcept
{
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

const CommandRow* command_of(std::string_view word) noexcept
{
    for (const auto& row : rows)
        if (row.command == word) return &row;
    return nullptr;
}

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A word without the commands in it: `)\f$` is `)`, `3986\endlink.` is `3986.`, `#position` is
/// `position`.
std::string plain_word(std::string_view word)
{
    std::string plain;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] == '#' && i + 1 < word.size() && is_letter(word[i + 1])) continue;
        if (word[i] != '\\') {
            plain += word[i];
            continue;
        }
        if (word.substr(i).starts_with("\\f$")) {
            i += 2;
            continue;
        }
        while (i + 1 < word.size() && is_letter(word[i + 1])) ++i;
    }
    return plain;
}

/// Collects words into paragraphs.
class Paragraphs {
public:
    void end()
    {
        if (!text_.empty() && text_.back() != '\n') text_ += "\n\n";
    }

    void add(std::string_view word)
    {
        if (word.empty()) return;
        if (!text_.empty() && text_.back() != '\n') text_ += ' ';
        text_ += word;
    }

    [[nodiscard]] std::string text() &&
    {
        while (!text_.empty() && text_.back() == '\n') text_.pop_back();
        return std::move(text_);
    }

private:
    std::string text_;
};

void add_line(Paragraphs& to, std::string_view line)
{
    if (line.starts_with("- ") || line.starts_with("* ")) to.end();
    while (!line.empty()) {
        const auto end = line.find_first_of(blanks);
        const auto word = line.substr(0, end);
        line = end == std::string_view::npos ? std::string_view{} : trimmed(line.substr(end));
        if (const auto* const row = command_of(word)) {
            if (row->own_paragraph) to.end();
            to.add(row->words);
        } else {
            to.add(plain_word(word));
        }
    }
}

/// `Unit: rad/s.`: a few comments end theirs with a full stop.
std::string_view unit_in(std::string_view line) noexcept
{
    constexpr std::string_view key = "Unit:";
    if (!line.starts_with(key)) return {};
    auto unit = trimmed(line.substr(key.size()));
    const bool is_abbreviation = unit.starts_with("tn.");
    if (unit.ends_with('.') && !is_abbreviation) unit.remove_suffix(1);
    return unit;
}

}  // namespace

DocText doc_text(const std::vector<std::string>& comment_lines)
{
    DocText doc;
    Paragraphs paragraphs;
    bool in_rules = false;
    for (const auto& whole : comment_lines) {
        const auto line = trimmed(whole);
        if (line == "\\rules" || line == "\\endrules") {
            in_rules = line == "\\rules";
        } else if (in_rules) {
            if (!line.empty()) doc.rules.append(doc.rules.empty() ? "" : "\n").append(line);
        } else if (line.empty() || is_for_pages_only(line)) {
            paragraphs.end();
        } else if (const auto unit = unit_in(line); !unit.empty() && doc.unit.empty()) {
            doc.unit = unit;
        } else {
            add_line(paragraphs, line);
        }
    }
    doc.comment = std::move(paragraphs).text();
    return doc;
}

}  // namespace ositrace
