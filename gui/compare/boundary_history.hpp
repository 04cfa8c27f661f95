// SPDX-License-Identifier: MPL-2.0
// The lane boundaries of a comparison over time: as a table, in a plot, and as a file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>

#include <ositrace/compare_boundary_traces.hpp>

#include "gui/compare/result_table.hpp"
#include "gui/plot/plot_view.hpp"

namespace ositrace::gui {

/// A boundary of B over time: its id; without one, its place in the list.
struct BoundaryId {
    std::uint64_t number = 0;
    bool is_given = true;
    friend bool operator==(const BoundaryId&, const BoundaryId&) = default;
};
[[nodiscard]] inline BoundaryId id_of(const BoundaryHistory& boundary) noexcept
{
    return {boundary.id, boundary.has_id};
}
[[nodiscard]] inline BoundaryId id_of(const ComparedBoundary& boundary) noexcept
{
    return {boundary.id, boundary.has_id};
}
/// nullptr without such a boundary.
[[nodiscard]] const BoundaryHistory* find_boundary(const BoundaryTraceComparison& comparison, const BoundaryId& id);

/// The boundaries in the order of the rows of boundary_history_table(). Borrows the comparison.
[[nodiscard]] std::vector<const BoundaryHistory*> listed_boundaries(const BoundaryTraceComparison& comparison);
[[nodiscard]] ResultTable boundary_history_table(const BoundaryTraceComparison& comparison);
inline constexpr int boundary_history_largest = 1;  ///< its column

/// `boundary 3, -0.204 m at 1.460 s (40 m ahead)`
[[nodiscard]] QString worst_text(const BoundaryTraceComparison& comparison, const BoundaryHistory& worst);

/// |lateral| of a boundary over time; of all of them together, if it is null: the mean and the largest.
[[nodiscard]] std::vector<PlotLine> boundary_lines(const BoundaryTraceComparison& comparison,
                                                   const BoundaryHistory* boundary);
/// The times at which the boundary, or any if it is null, has no boundary of A.
[[nodiscard]] std::vector<PlotMarks> boundary_marks(const BoundaryTraceComparison& comparison,
                                                    const BoundaryHistory* boundary);

/// A row per boundary and message, in the order of time. The file appears when it is complete. Returns an empty text,
/// or the error.
[[nodiscard]] QString write_boundary_csv(const BoundaryTraceComparison& comparison, const QString& file);

}  // namespace ositrace::gui
