// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include <QStringList>

#include "gui/playback/time_scale.hpp"
#include "gui/playback/timeline_mark.hpp"

namespace ositrace::gui {

/// Marks that would cover each other: drawn as one.
struct MarkGroup {
    double x = 0;  ///< where it is drawn: a mark alone at its time, several in the middle of their pixels
    std::vector<const TimelineMark*> marks;  ///< the most severe first; one at least
    [[nodiscard]] Severity severity() const noexcept { return marks.front()->severity; }
};

/// The marks that stand on the scale, from left to right; in each `mark_pitch` pixels one group at most. Borrows the
/// marks.
[[nodiscard]] std::vector<MarkGroup> grouped(const std::vector<TimelineMark>& marks, const TimeScale& scale);

/// What a tooltip says of a group: how many there are of each severity, where there are several, then the first ones.
[[nodiscard]] QStringList words_of(const MarkGroup& group);

}  // namespace ositrace::gui
