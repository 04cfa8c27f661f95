// SPDX-License-Identifier: MPL-2.0
// The words of every error about bytes that are missing: `4 bytes, and 1 is left`.
#pragma once

#include <cstdint>
#include <string>

#include <ositrace/count_text.hpp>

namespace ositrace {

[[nodiscard]] inline std::string byte_count(std::uint64_t count) { return count_text(count, "byte"); }

/// What is needed, and what there is of it: `4 bytes, and 1 is left`.
[[nodiscard]] inline std::string too_few_bytes(std::uint64_t needed, std::uint64_t left)
{
    return byte_count(needed) + ", and " + std::to_string(left) + ' ' + is_or_are(left) + " left";
}

}  // namespace ositrace
