// SPDX-License-Identifier: MPL-2.0
// A full store becomes a record batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <ositrace/arrow_data.hpp>
#include <ositrace/lane_frame.hpp>

#include "lib/table/plan.hpp"
#include "lib/table/point_columns.hpp"
#include "lib/table/store.hpp"

namespace ositrace::table {

/// The names of an enum column. It only grows, so the indices of earlier batches stay right.
class Dictionary {
public:
    /// `enums`: by the source of a row, where rows have several; null: a source without the column. `words`: names that
    /// are no enum's, by number.
    Dictionary(std::span<const EnumTable* const> enums, std::span<const std::string> words);

    /// The index of a number of the enum of a source; one that has no name is entered by its digits. Throws Error
    /// (limit).
    [[nodiscard]] std::int32_t index_of(std::size_t source, std::int32_t number)
    {
        if (source < small_.size() && static_cast<std::uint32_t>(number) < small_[source].size()) {
            const auto index = small_[source][static_cast<std::uint32_t>(number)];
            if (index >= 0) return index;
        }
        return find(source, number);
    }
    [[nodiscard]] const Array& names(Budget& budget);

private:
    static constexpr std::size_t most_small = 256;
    static constexpr std::size_t most_names = 1'000'000;

    std::int32_t find(std::size_t source, std::int32_t number);
    std::int32_t enter(std::string name);

    std::vector<std::string> names_;
    std::unordered_map<std::string, std::int32_t> places_;
    std::vector<std::vector<std::int32_t>> small_;                         ///< by source and number; -1: unknown yet
    std::vector<std::unordered_map<std::int32_t, std::int32_t>> numbers_;  ///< of others, by source
    Array array_;
};

/// The dictionaries of a table, by column: they outlive the batches.
using Dictionaries = std::vector<std::optional<Dictionary>>;

/// Reads the store, takes memory out of it, and leaves it to be reset. `null_frames`: rows of TableRows::frames that
/// are null as a whole. `places`: of each row, of a table with lane coordinates; `points`: of one with
/// the places of measurements. `misses_host` becomes true where
/// columns are seen from a host vehicle that a frame has not. Throws Error (limit).
[[nodiscard]] Array batch_of(const TablePlan::Implementation& plan, Store& store, Dictionaries& dictionaries,
                             std::span<const std::size_t> null_frames, std::span<const std::optional<LanePlace>> places,
                             std::span<const std::optional<MeasuredPoint>> points, bool& misses_host);

/// Whether batch_of() makes rows. Where outer elements without inner ones are rows, the elements of the first `[*]`
/// tell.
[[nodiscard]] inline bool has_rows(const TablePlan::Implementation& plan, Store& store) noexcept
{
    auto level = plan.row_level;
    while (plan.keeps_empty && level != 0 && plan.levels[level].parent != 0) level = plan.levels[level].parent;
    return store.level(level).count != 0;
}

}  // namespace ositrace::table
