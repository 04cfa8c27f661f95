// SPDX-License-Identifier: MPL-2.0
#include "gui/web/page_events.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>
#include <ositrace/traffic_table.hpp>

namespace ositrace::gui {

namespace {

/// Rows of the table `events` as events of a page.
class EventRows final : public TrafficRowSink {
public:
    EventRows(const TrafficTableReader& reader, const OpenChannels& channels, std::size_t trace,
              std::vector<PageEvent>& events)
        : reader_(reader), channels_(channels), trace_(trace), events_(events)
    {
        const auto& columns = reader.table().columns;
        for (std::size_t i = 0; i != columns.size(); ++i) places_.emplace(columns[i].name, i);
    }

    void add(std::span<const TrafficCell> row) override
    {
        PageEvent event;
        event.kind = get<std::string_view>(row, "kind").value_or("");
        std::ranges::replace(event.kind, '_', ' ');
        event.object = get<std::uint64_t>(row, "object");
        event.other = get<std::uint64_t>(row, "other");
        const auto begin = get<double>(row, "begin").value_or(0);
        event.from = time_of(begin);
        event.to = std::max(event.from, time_of(get<double>(row, "end").value_or(begin)));
        events_.push_back(std::move(event));
    }

private:
    template <class T>
    [[nodiscard]] std::optional<T> get(std::span<const TrafficCell> row, std::string_view column) const
    {
        const auto* const value = std::get_if<T>(&row[places_.at(column)]);
        return value == nullptr ? std::nullopt : std::optional(*value);
    }
    /// The times of rows are those of the trace.
    [[nodiscard]] Nanoseconds time_of(double seconds) const
    {
        constexpr double per_second = 1e9;
        const auto channel = std::ranges::find_if(channels_, [&](const OpenChannel& each) {
            return each.trace_number == trace_ && each.channel->topic == reader_.topic();
        });
        const auto shift = channel == channels_.end() ? Nanoseconds(0) : channel->shift;
        return shifted(Nanoseconds(std::llround(seconds * per_second)), shift);
    }

    const TrafficTableReader& reader_;
    const OpenChannels& channels_;
    std::size_t trace_;
    std::vector<PageEvent>& events_;
    std::map<std::string_view, std::size_t> places_;
};

}  // namespace

void add_traffic_events(PageEvents& to, const OpenChannels& channels, const std::stop_token& stop)
{
    const auto& table = *find_traffic_table("events");
    std::set<std::size_t> read;
    for (const auto& channel : channels) {
        if (grows(channel) || !table.reads(*channel.channel) || !read.insert(channel.trace_number).second) continue;
        try {
            TrafficTableReader reader(channel.trace->reader(), table, TrafficOptions(table.options));
            EventRows rows(reader, channels, channel.trace_number, to.events);
            while (reader.read(rows, stop)) {
            }
            for (const auto& note : reader.notes()) to.notes.push_back("Events: " + note);
        } catch (const Error& error) {
            if (error.cause() == Cause::cancelled) throw;
            to.notes.push_back(std::string("Events are left out: ") + error.what());
        }
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
