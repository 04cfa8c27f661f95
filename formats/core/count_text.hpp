// SPDX-License-Identifier: MPL-2.0
// Counts in words: `4 bytes, and 1 is left`.
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

[[nodiscard]] inline std::string byte_count(std::uint64_t count) { return count_text(count, "byte"); }

/// What follows a count: `is`, `are`
[[nodiscard]] inline std::string_view are(std::uint64_t count) noexcept { return count == 1 ? "is" : "are"; }

/// What is needed, and what there is of it: `4 bytes, and 1 is left`.
[[nodiscard]] inline std::string too_few_bytes(std::uint64_t needed, std::uint64_t left)
{
    return byte_count(needed) + ", and " + std::to_string(left) + ' ' + std::string(are(left)) + " left";
}

}  // namespace ositrace
