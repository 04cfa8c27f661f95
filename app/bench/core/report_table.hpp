// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <vector>

#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// The cells of a round's table, without the columns that would be empty: titles, then a row per variant. Text and page
/// show the same.
[[nodiscard]] std::vector<std::vector<std::string>> cells_of(const RoundResult& round);

}  // namespace ositrace::bench
