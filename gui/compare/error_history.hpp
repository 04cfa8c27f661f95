// SPDX-License-Identifier: MPL-2.0
// The errors of a comparison over time: in a plot, and as a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <QString>

#include <ositrace/compare_traces.hpp>

#include "gui/plot/plot_view.hpp"

namespace ositrace::gui {

/// Places in the list of colours: apart from those of the marks.
inline constexpr std::size_t mean_colour = 0, largest_colour = 2;
/// Of the marks where something has no partner.
[[nodiscard]] QColor missed_colour();

/// Samples in the order of their moments: calls `add` for each, and `end` with the moment after each run of them, from
/// which there is none. Nothing is called at the end of all moments.
template <class Samples, class Add, class End>
void for_each_run(const Samples& samples, std::size_t moments, const Add& add, const End& end)
{
    std::uint32_t next = 0;  // the moment after the last sample
    for (const auto& sample : samples) {
        if (next != 0 && next < sample.moment) end(next);
        add(sample);
        next = sample.moment + 1;
    }
    if (next != 0 && next < moments) end(next);
}

/// Of an object of A; of all of them together, if it is null: the mean and the largest error. Angles in degrees.
[[nodiscard]] std::vector<PlotLine> error_lines(const TraceComparison& comparison, ObjectError kind,
                                                const ObjectHistory* object);
/// The times at which the object, or any if it is null, is missed; of all of them also those with ghosts.
[[nodiscard]] std::vector<PlotMarks> error_marks(const TraceComparison& comparison, const ObjectHistory* object);

/// A row per pair of objects, missed object and ghost, in the order of time: state, time, numbers of the messages, ids,
/// errors in SI units. The file appears when it is complete. Returns an empty text, or the error.
[[nodiscard]] QString write_csv(const TraceComparison& comparison, const QString& file);

}  // namespace ositrace::gui
