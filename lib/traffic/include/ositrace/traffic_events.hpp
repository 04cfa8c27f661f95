// SPDX-License-Identifier: MPL-2.0
// The table `events`: what its values are.
#pragma once

#include <string_view>

namespace ositrace {

/// The unit of the column `value` for a kind of events, as `cut_in`; empty: the kind has no value.
[[nodiscard]] std::string_view unit_of_event(std::string_view kind) noexcept;

}  // namespace ositrace
