// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cmath>

namespace ositrace {

/// Has a number the form of a numeric country code of ISO 3166-1: 1 to 999? Which are assigned changes from year to year.
[[nodiscard]] inline bool is_country_code(double number) noexcept { return number >= 1 && number <= 999 && number == std::floor(number); }

}  // namespace ositrace
