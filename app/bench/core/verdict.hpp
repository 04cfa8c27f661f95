// SPDX-License-Identifier: MPL-2.0
// The conclusions of others, and whether they hold here.
#pragma once

#include <optional>
#include <string>

#include "app/bench/core/report.hpp"

namespace ositrace::bench {

/// `holds`: the same direction and at least half of the effect; if others found no difference, less than a quarter
/// here. `was not comparable` if nothing was measured.
[[nodiscard]] std::string verdict(double published, std::optional<double> here);

/// The table of conclusions, without rows.
[[nodiscard]] Table verdict_table();
/// Adds a conclusion `more` or `less` without a number: 1.00 is neither.
void add_claim(Table& table, std::string conclusion, std::string published, std::optional<double> here);
/// Adds a conclusion with a ratio, and the one measured here.
void add_verdict(Table& table, std::string conclusion, double published, std::optional<double> here);

}  // namespace ositrace::bench
