// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <vector>

#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// The cells of a round's table, without empty columns: titles, then a row per variant. Text and page show the same
/// table.
[[nodiscard]] std::vector<std::vector<std::string>> cells_of(const RoundResult& round);

}  // namespace ositrace::bench
