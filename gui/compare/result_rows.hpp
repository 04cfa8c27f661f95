// SPDX-License-Identifier: MPL-2.0
// The results of comparisons as tables.
#pragma once

#include "gui/compare/comparison.hpp"
#include "gui/compare/result_table.hpp"

namespace ositrace::gui {

/// An error as it is shown: angles in degrees.
[[nodiscard]] double shown_error(ObjectError kind, double error) noexcept;
/// `m`, `°`
[[nodiscard]] QString shown_unit(ObjectError kind);
/// `0.123`; empty if it is unknown.
[[nodiscard]] QString error_text(ObjectError kind, double error);

/// A row of the table of objects at a time.
struct PairRow {
    const ComparedObject* a = nullptr;  ///< null: a ghost
    const ComparedObject* b = nullptr;  ///< null: missed
    const ObjectErrors* errors = nullptr;
    bool by_id = true;
};
/// More rows than these are not listed: the worst ones are.
inline constexpr std::size_t most_listed = 2000;
/// Pairs, missed objects, ghosts: in the order of the rows of pair_table(). Borrows the comparison.
[[nodiscard]] std::vector<PairRow> pair_rows(const ObjectComparison& comparison);
[[nodiscard]] ResultTable pair_table(const ShownComparison& comparison, const Picture& picture);
inline constexpr int pair_table_distance = 4;  ///< its column

/// The fields that differ.
[[nodiscard]] ResultTable difference_table(const MessageComparison& comparison);

/// The objects of A over time, in the order of the rows of history_table(). Borrows the comparison.
[[nodiscard]] std::vector<const ObjectHistory*> listed_objects(const TraceComparison& comparison, ObjectError kind);
[[nodiscard]] ResultTable history_table(const TraceComparison& comparison, ObjectError kind);
inline constexpr int history_table_largest = 5;  ///< its column
/// The messages that differ, in the order of the result.
[[nodiscard]] ResultTable different_moments_table(const EqualityOfTraces& comparison);

}  // namespace ositrace::gui
