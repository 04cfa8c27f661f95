// SPDX-License-Identifier: MPL-2.0
// A full store becomes a record batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/table/arrow_data.hpp"
#include "lib/table/dictionary.hpp"
#include "lib/table/plan.hpp"
#include "lib/table/store.hpp"

namespace ositrace::table {

/// The dictionaries of a table, by column: they outlive the batches.
using Dictionaries = std::vector<std::optional<Dictionary>>;

/// Reads the store, takes memory out of it, and leaves it to be reset. `null_frames`: rows of TableRows::frames that
/// are null as a whole. Throws Error (limit).
[[nodiscard]] Array batch_of(const TablePlan::Implementation& plan, Store& store, Dictionaries& dictionaries,
                             std::span<const std::size_t> null_frames);

/// Number of rows that batch_of() makes, or fewer where outer elements have no inner ones.
[[nodiscard]] inline std::size_t rows_of(const TablePlan::Implementation& plan, Store& store) noexcept
{
    return store.level(plan.row_level).count;
}

}  // namespace ositrace::table
