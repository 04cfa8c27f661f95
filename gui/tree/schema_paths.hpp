// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <vector>

#include <ositrace/schema.hpp>

namespace ositrace::gui {

/// All paths of a message type, those of repeated fields with `[]`: `moving_object[].base.velocity.x`.
/// A message inside itself is not entered again, nor one deeper than a message can be read;
/// at most 100 000 paths and 32 MiB.
class SchemaPaths {
public:
    explicit SchemaPaths(const MessageTable& root);

    /// Paths that contain every word, in any case: those that end in one first, then the shorter. At most `most`.
    [[nodiscard]] std::vector<std::string> search(const std::string& words, std::size_t most) const;
    [[nodiscard]] const std::vector<std::string>& all() const noexcept { return paths_; }

private:
    std::vector<std::string> paths_;
};

/// `path` with an element for every `[]`: those of `near` as long as both lead the same way, else 0.
[[nodiscard]] std::string with_elements(const std::string& path, const std::string& near);

}  // namespace ositrace::gui
