// SPDX-License-Identifier: MPL-2.0
// What others have concluded, and whether it holds here.
#pragma once

#include <optional>
#include <string>

#include "app/bench/core/report.hpp"

namespace ositrace::bench {

/// `holds`: the same direction and half of the effect at least; where others see none, less than a quarter here.
/// `was not comparable` where nothing was measured.
[[nodiscard]] std::string verdict(double published, std::optional<double> here);

/// The table of conclusions, empty.
[[nodiscard]] Table verdict_table();
/// Somebody says `more` or `less` and no number: 1.00 is neither.
void add_claim(Table& table, std::string said, std::string published, std::optional<double> here);
/// A ratio that somebody states beside the one measured here.
void add_verdict(Table& table, std::string said, double published, std::optional<double> here);

}  // namespace ositrace::bench
