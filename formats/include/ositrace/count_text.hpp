// SPDX-License-Identifier: MPL-2.0
// Counts in words: `1 frame`, `7 frames`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ositrace {

/// `1 frame`, `7 frames`
[[nodiscard]] inline std::string count_text(std::uint64_t count, std::string_view singular)
{
    return std::to_string(count) + ' ' + std::string(singular) + (count == 1 ? "" : "s");
}

/// What follows a count: `is`, `are`
[[nodiscard]] inline std::string is_or_are(std::uint64_t count) { return count == 1 ? "is" : "are"; }

}  // namespace ositrace
