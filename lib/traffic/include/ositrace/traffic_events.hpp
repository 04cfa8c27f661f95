// SPDX-License-Identifier: MPL-2.0
// The table `events`: what its values are.
#pragma once

#include <string_view>

namespace ositrace {

/// What the column `value` is for a kind of events: `clearance`, `m`; empty: the kind has no value.
struct EventValue {
    std::string_view name, unit;
};
/// `kind`: as in the table, `cut_in`.
[[nodiscard]] EventValue value_of_event(std::string_view kind) noexcept;

}  // namespace ositrace
