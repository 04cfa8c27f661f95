// SPDX-License-Identifier: MPL-2.0
// Elements and attributes of an XML document, with errors that name the line and the element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "lib/open_drive/note_list.hpp"

namespace ositrace::open_drive {

/// A document in memory. An element that cannot be read is left out, with a note. pugixml parses without recursion and
/// knows no entities but those of characters, so neither depth nor entities cost more than the length of the text.
class XmlReader {
public:
    /// Throws Error (malformed) naming the line.
    explicit XmlReader(std::string_view xml);

    [[nodiscard]] pugi::xml_node root() const { return document_.document_element(); }

    /// Throws Error (malformed) where the attribute is missing, no finite number, or beyond 10^12.
    [[nodiscard]] double number(pugi::xml_node node, const char* name) const;
    [[nodiscard]] double number(pugi::xml_node node, const char* name, double otherwise) const;
    [[nodiscard]] int integer(pugi::xml_node node, const char* name) const;
    /// Without the white space around it; empty where it is missing.
    [[nodiscard]] static std::string_view text(pugi::xml_node node, const char* name);
    [[nodiscard]] static bool is_true(pugi::xml_node node, const char* name);

    /// Throws Error (malformed): `line 12: <geometry>: `, and what is wrong.
    [[noreturn]] void fail(pugi::xml_node node, const std::string& what) const;
    [[noreturn]] void fail_limit(pugi::xml_node node, const std::string& what) const;
    /// `line 12: <geometry>`
    [[nodiscard]] std::string place(pugi::xml_node node) const;

    /// Calls `read()`. Where it fails, the element is left out: false.
    template <class Read>
    bool attempt(pugi::xml_node node, const Read& read)
    {
        try {
            read();
            return true;
        } catch (const Error& error) {
            leave_out(node, error);
            return false;
        }
    }
    void leave_out(pugi::xml_node node, const Error& error);
    /// Notes what is strange about an element that is read.
    void doubt(pugi::xml_node node, const std::string& what);
    [[nodiscard]] const NoteList& left_out() const noexcept { return left_out_; }
    [[nodiscard]] const NoteList& doubts() const noexcept { return doubts_; }

    /// Counts an element that no version of the standard has.
    void other(pugi::xml_node node);
    [[nodiscard]] std::uint64_t unknown_elements() const noexcept { return unknown_; }
    [[nodiscard]] const std::string& first_unknown() const noexcept { return first_unknown_; }

private:
    [[nodiscard]] std::uint64_t line_of(std::ptrdiff_t offset) const;

    std::string_view xml_;
    mutable std::vector<std::ptrdiff_t> line_ends_;  ///< found when the first line is named
    NoteList left_out_, doubts_;
    pugi::xml_document document_;
    std::uint64_t unknown_ = 0;
    std::string first_unknown_;
};

}  // namespace ositrace::open_drive
