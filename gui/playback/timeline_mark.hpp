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

enum class MarkKind : std::uint8_t {
    bookmark,  ///< of the user
    finding,   ///< of `check`, or of the report of a checker
    event,     ///< what was computed of the trace
};

/// A mark on the timeline.
struct TimelineMark {
    Nanoseconds time{};                   ///< on the session's time axis: its begin
    std::optional<std::uint32_t> source;  ///< the channel; empty: the whole file
    Severity severity = Severity::warning;
    QString text;             ///< the tooltip
    std::uint64_t count = 1;  ///< number of equal findings that it represents
    MarkKind kind = MarkKind::finding;
    std::optional<Nanoseconds> until = {};     ///< its end; empty: it is a moment
    QString name = {};                         ///< what it is of: `hard braking`, the rule of a finding
    std::optional<std::uint64_t> object = {};  ///< id of the moving object that it is about
    std::optional<Nanoseconds> peak = {};      ///< when its value is greatest, where that is not its begin
    /// The time that a click on it shows.
    [[nodiscard]] Nanoseconds moment() const noexcept { return peak.value_or(time); }
    friend bool operator==(const TimelineMark&, const TimelineMark&) = default;
};

[[nodiscard]] QColor colour_of(Severity severity);
[[nodiscard]] QColor colour_of(const TimelineMark& mark);

/// Pixels beside the time of a mark that it covers, and the width of a group: closer marks are drawn as one.
inline constexpr int mark_reach = 4, mark_pitch = 2 * mark_reach + 2;

/// Marks that would overlap: drawn as one.
struct MarkGroup {
    double x = 0;  ///< its position: a single mark at its time, several in the middle of their pixels
    std::vector<const TimelineMark*> marks;  ///< bookmarks, then the most severe first; at least one
    [[nodiscard]] const TimelineMark& first() const noexcept { return *marks.front(); }
};

/// The marks on the scale, from left to right; at most one group per `mark_pitch` pixels. Borrows the marks.
[[nodiscard]] std::vector<MarkGroup> grouped(const std::vector<TimelineMark>& marks, const TimeScale& scale);

/// The tooltip of a group: the number of marks of each severity, if there are several, then the first ones, each
/// with the name of its channel if there are several.
[[nodiscard]] QStringList tip_of(const MarkGroup& group, const OpenChannels& channels);

}  // namespace ositrace::gui
