// SPDX-License-Identifier: MPL-2.0
// The words of every error about bytes that are missing: `4 bytes, and 1 is left`.
#pragma once

#include <cstdint>
#include <string>

namespace ositrace {

/// `1 byte`, `2 bytes`.
[[nodiscard]] inline std::string byte_count(std::uint64_t count)
{
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

/// ` is left`, ` are left`.
[[nodiscard]] inline std::string are_left(std::uint64_t count) { return count == 1 ? " is left" : " are left"; }

/// What is needed, and what there is of it: `4 bytes, and 1 is left`.
[[nodiscard]] inline std::string too_few_bytes(std::uint64_t needed, std::uint64_t left)
{
    return byte_count(needed) + ", and " + std::to_string(left) + are_left(left);
}

}  // namespace ositrace
