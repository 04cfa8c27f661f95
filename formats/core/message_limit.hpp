// SPDX-License-Identifier: MPL-2.0
// How an error says that a message exceeds a limit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ositrace/limits.hpp>

namespace ositrace {

/// ` exceeds the limit of 536870912 bytes (--max-message raises it)`. A length that the option does not take, such as
/// 4 GiB in a damaged file, gets no advice.
[[nodiscard]] inline std::string exceeds_limit(std::uint64_t bytes, std::uint64_t limit)
{
    return " exceeds the limit of " + std::to_string(limit) + " bytes" +
           (bytes <= max_encodable_bytes ? " (--max-message raises it)" : "");
}

inline constexpr std::string_view nests_too_deep = "messages nest deeper than 100 levels";
static_assert(max_message_depth == 100);

}  // namespace ositrace
