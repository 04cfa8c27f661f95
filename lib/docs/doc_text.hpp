// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ositrace {

/// A comment of a .proto file, taken apart.
struct DocText {
    std::string comment, unit, rules;
};

/// Takes unit and rules out and turns Doxygen's commands into words: pictures and anchors go, lines become paragraphs.
[[nodiscard]] DocText doc_text(const std::vector<std::string>& comment_lines);

}  // namespace ositrace
