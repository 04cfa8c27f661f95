// SPDX-License-Identifier: MPL-2.0
#include "gui/web/page_events.hpp"

#include <algorithm>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>

#include "gui/marks/event_search.hpp"

namespace ositrace::gui {

void add_traffic_events(PageEvents& to, const OpenChannels& channels, const TrafficOptions& options,
                        const std::stop_token& stop)
{
    for (const auto& channel : channels) {
        if (grows(channel) || !has_events(channel)) continue;
        const auto found = events_of(channel, options, {}, stop);
        if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
        for (const auto& mark : found.marks)
            to.events.push_back({.from = shifted(mark.time, channel.shift),
                                 .to = shifted(mark.until.value_or(mark.time), channel.shift),
                                 .kind = mark.name.toStdString(),
                                 .text = mark.text.toStdString(),
                                 .object = mark.object});
        if (!found.problem.isEmpty()) to.notes.push_back("Events: " + found.problem.toStdString());
    }
}

void add_marks(PageEvents& to, const std::vector<MarkList::Row>& rows)
{
    std::size_t without_time = 0;
    for (const auto& row : rows) {
        const auto& mark = row.mark;
        if (mark.kind == MarkKind::event) continue;  // computed for the page
        if (!row.has_time) {
            ++without_time;
            continue;
        }
        const bool is_bookmark = mark.kind == MarkKind::bookmark;
        to.events.push_back({.from = mark.time,
                             .to = mark.until.value_or(mark.time),
                             .kind = is_bookmark ? "bookmark" : std::string(name_of(mark.severity)),
                             .text = mark.text.toStdString()});
    }
    if (without_time != 0)
        to.notes.push_back(ositrace::count_text(without_time, "finding") + " without a time " +
                           (without_time == 1 ? "is" : "are") + " left out");
}

void arrange(PageEvents& events, const TimeSection& section)
{
    auto& all = events.events;
    std::erase_if(all, [&](const PageEvent& each) { return each.to < section.from || each.from > section.to; });
    std::ranges::stable_sort(all, {}, &PageEvent::from);
    if (all.size() <= PageEvents::most) return;
    events.notes.push_back("the last " + ositrace::count_text(all.size() - PageEvents::most, "event") +
                           " are left out");
    all.resize(PageEvents::most);
}

}  // namespace ositrace::gui
