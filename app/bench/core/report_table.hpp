// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <vector>

#include "app/bench/core/round.hpp"

namespace ositrace::bench {

enum class Columns : bool {
    few,  ///< name, time of a thing, bytes, ratios
    all,
};

/// The cells of a round's table, without empty columns: titles, then a row per variant. Text and page show the same
/// table.
[[nodiscard]] std::vector<std::vector<std::string>> cells_of(const RoundResult& round, Columns columns = Columns::all);

/// Which columns contain more words than numbers, and so are aligned at their left. The first one always does.
[[nodiscard]] std::vector<bool> columns_of_words(const std::vector<std::vector<std::string>>& rows);

}  // namespace ositrace::bench
