// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include <ositrace/check.hpp>

#include "gui/playback/time_scale.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// A mark on the timeline: findings of `check`.
struct TimelineMark {
    Nanoseconds time{};                   ///< on the session's time axis
    std::optional<std::uint32_t> source;  ///< the channel; empty: the whole file
    Severity severity = Severity::warning;
    QString text;             ///< the tooltip
    std::uint64_t count = 1;  ///< number of equal findings that it represents
};

[[nodiscard]] QColor colour_of(Severity severity);

/// Pixels beside the time of a mark that it covers, and the width of a group: closer marks are drawn as one.
inline constexpr int mark_reach = 4, mark_pitch = 2 * mark_reach + 2;

/// Marks that would overlap: drawn as one.
struct MarkGroup {
    double x = 0;  ///< its position: a single mark at its time, several in the middle of their pixels
    std::vector<const TimelineMark*> marks;  ///< the most severe first; at least one
    [[nodiscard]] Severity severity() const noexcept { return marks.front()->severity; }
};

/// The marks on the scale, from left to right; at most one group per `mark_pitch` pixels. Borrows the marks.
[[nodiscard]] std::vector<MarkGroup> grouped(const std::vector<TimelineMark>& marks, const TimeScale& scale);

/// The tooltip of a group: the number of marks of each severity, if there are several, then the first ones, each
/// with the name of its channel if there are several.
[[nodiscard]] QStringList tip_of(const MarkGroup& group, const OpenChannels& channels);

}  // namespace ositrace::gui
