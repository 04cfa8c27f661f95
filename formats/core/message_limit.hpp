// SPDX-License-Identifier: MPL-2.0
// The words of every error about a limit: `WHAT exceeds the limit of N UNITS`, and the option that raises it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ositrace/limits.hpp>

namespace ositrace {

/// ` exceeds the limit of 64 levels`; without a unit ` exceeds the limit of 64`.
[[nodiscard]] inline std::string exceeds(std::uint64_t limit, std::string_view unit = {})
{
    return " exceeds the limit of " + std::to_string(limit).append(unit.empty() ? "" : " ").append(unit);
}

/// ` exceeds the limit of 536870912 bytes (--max-message raises it)`. A length that the option does not accept, such as
/// 4 GiB in a damaged file, gets no advice.
[[nodiscard]] inline std::string exceeds_limit(std::uint64_t bytes, std::uint64_t limit)
{
    return exceeds(limit, "bytes") + (bytes <= max_encodable_bytes ? " (--max-message raises it)" : "");
}

/// The same of a message whose length is not known. The limit of the encodings is the most that the option accepts.
[[nodiscard]] inline std::string exceeds_limit(std::uint64_t limit) { return exceeds_limit(limit + 1, limit); }

inline constexpr std::string_view nests_too_deep = "the nesting of messages exceeds the limit of 100 levels";
static_assert(max_message_depth == 100);

}  // namespace ositrace
