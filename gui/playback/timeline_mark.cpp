// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/timeline_mark.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <QCoreApplication>
#include <QStringList>

#include "gui/text/quantity.hpp"
#include "gui/widgets/theme_colours.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t most_lines = 8;

/// `3 errors, 12 warnings`
QString counts_text(const MarkGroup& group)
{
    std::array<std::uint64_t, 3> counts{};
    std::uint64_t bookmarks = 0, events = 0;
    for (const auto* const each : group.marks) {
        if (each->kind == MarkKind::finding) counts.at(static_cast<std::size_t>(each->severity)) += each->count;
        bookmarks += each->kind == MarkKind::bookmark ? 1 : 0;
        events += each->kind == MarkKind::event ? each->count : 0;
    }
    QStringList parts;
    if (bookmarks != 0) parts += count_text(bookmarks, "bookmark");
    const auto add = [&](Severity severity, std::string_view singular) {
        const auto count = counts.at(static_cast<std::size_t>(severity));
        if (count != 0) parts += count_text(count, singular);
    };
    add(Severity::error, "error");
    add(Severity::warning, "warning");
    add(Severity::info, "note");
    if (events != 0) parts += count_text(events, "event");
    return parts.join(QStringLiteral(", "));
}

}  // namespace

QColor colour_of(Severity severity)
{
    return colour_of(severity == Severity::error     ? Tone::error
                     : severity == Severity::warning ? Tone::warning
                                                     : Tone::information);
}

QColor colour_of(const TimelineMark& mark)
{
    if (mark.kind == MarkKind::bookmark) return {0x8e, 0x5b, 0xd6};
    return mark.kind == MarkKind::event ? QColor(0x18, 0x9a, 0x8a) : colour_of(mark.severity);
}

std::vector<MarkGroup> grouped(const std::vector<TimelineMark>& marks, const TimeScale& scale)
{
    std::map<int, MarkGroup> by_place;
    for (const auto& mark : marks) {
        const auto x = scale.x_of(mark.time);
        if (!(x >= scale.left() - 1 && x <= scale.left() + scale.width() + 1)) continue;
        const auto place = static_cast<int>(std::floor((x - scale.left()) / mark_pitch));
        auto& group = by_place[place];
        group.x = group.marks.empty() ? x : scale.left() + (place + 0.5) * mark_pitch;
        group.marks.push_back(&mark);
    }
    std::vector<MarkGroup> groups;
    for (auto& [place, group] : by_place) {
        std::ranges::stable_sort(group.marks, {}, [](const TimelineMark* mark) {
            return std::pair(mark->kind, mark->kind == MarkKind::finding ? mark->severity : Severity::error);
        });
        groups.push_back(std::move(group));
    }
    return groups;
}

QStringList tip_of(const MarkGroup& group, const OpenChannels& channels)
{
    QStringList lines;
    if (group.marks.size() > 1) lines += counts_text(group);
    const auto shown = std::min(group.marks.size(), most_lines);
    for (std::size_t i = 0; i != shown; ++i) {
        const auto& mark = *group.marks[i];
        const bool is_one_of_several = channels.size() > 1 && mark.source && *mark.source < channels.size();
        const auto of =
            is_one_of_several ? QString::fromStdString(channels[*mark.source].name) + QStringLiteral(": ") : QString();
        const auto kind =
            mark.kind == MarkKind::event && !mark.name.isEmpty() ? mark.name + QStringLiteral(": ") : QString();
        const auto until = mark.until ? QStringLiteral(" (%1)").arg(duration_text(mark.time, *mark.until)) : QString();
        lines += of + kind + mark.text + until;
    }
    if (shown != group.marks.size())
        lines += QCoreApplication::translate("TimelineWidget", "and %1 more").arg(group.marks.size() - shown);
    return lines;
}

}  // namespace ositrace::gui
