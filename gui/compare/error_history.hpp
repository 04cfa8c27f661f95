// SPDX-License-Identifier: MPL-2.0
// The errors of a comparison over time: in a plot, and as a file.
#pragma once

#include <vector>

#include <QString>

#include <ositrace/compare_traces.hpp>

#include "gui/plot/plot_view.hpp"

namespace ositrace::gui {

/// Places in the list of colours: apart from those of the marks.
inline constexpr std::size_t mean_colour = 0, largest_colour = 2;
/// Of the marks where something has no partner.
[[nodiscard]] QColor missed_colour();

/// Of an object of A; of all of them together, if it is null: the mean and the largest error. Angles in degrees.
[[nodiscard]] std::vector<PlotLine> error_lines(const TraceComparison& comparison, ObjectError kind,
                                                const ObjectHistory* object);
/// The times at which the object, or any if it is null, is missed; of all of them also those with ghosts.
[[nodiscard]] std::vector<PlotMarks> error_marks(const TraceComparison& comparison, const ObjectHistory* object);

/// A row per pair of objects, missed object and ghost, in the order of time: state, time, numbers of the messages, ids,
/// errors in SI units. The file appears when it is complete. Returns an empty text, or the error.
[[nodiscard]] QString write_csv(const TraceComparison& comparison, const QString& file);

}  // namespace ositrace::gui
