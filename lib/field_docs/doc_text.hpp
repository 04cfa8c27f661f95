// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Separators of the four texts of an entry (name, comment, unit, rules), and of entries.
inline constexpr char doc_field_end = '\x1f';
inline constexpr char doc_entry_end = '\x1e';

/// All entries as a zstd frame with content size; empty if the build had no comments. Generated: see
/// cmake/OsiComments.cmake.
[[nodiscard]] Bytes embedded_docs() noexcept;

/// The parts of a comment in a .proto file.
struct DocText {
    std::string comment, unit, rules;
};

/// Separates unit and rules and replaces Doxygen commands by words. Drops images and anchors, joins lines to
/// paragraphs.
[[nodiscard]] DocText doc_text(const std::vector<std::string>& comment_lines);

}  // namespace ositrace
