// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/events.hpp"

#include <ositrace/traffic_events.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ositrace::traffic {

namespace {

constexpr std::array<EventKindRow, event_kind_count> event_kind_rows{{
    {"standstill", ""},
    {"hard_braking", "m/s^2"},
    {"hard_acceleration", "m/s^2"},
    {"lane_change", "m/s"},
    {"lane_departure", "m"},
    {"cut_in", "m"},
    {"cut_out", "m"},
    {"overtaking", "m"},
    {"red_light_passed", "m/s"},
    {"collision", "m/s"},
    {"appears", ""},
    {"vanishes", ""},
    {"gap", ""},
}};

constexpr std::array detector_rows{motion_events, lane_events, pair_events, light_events, presence_events};

}  // namespace

const EventKindRow& row_of(EventKind kind) noexcept { return event_kind_rows.at(static_cast<std::size_t>(kind)); }

EventFinder::EventFinder(const EventOptions& options)
{
    for (const auto make : detector_rows) detectors_.push_back(make(options));
}

void EventFinder::step(const TrafficMoment& moment)
{
    for (const auto& detector : detectors_) detector->step(moment, events_);
}

std::vector<Event> EventFinder::finish()
{
    for (const auto& detector : detectors_) detector->finish(events_);
    const auto key = [](const Event& event) {
        return std::tuple(event.begin, event.object, event.kind, event.other, event.end);
    };
    std::ranges::stable_sort(events_, {}, key);
    return std::exchange(events_, {});
}

}  // namespace ositrace::traffic

namespace ositrace {

std::string_view unit_of_event(std::string_view kind) noexcept
{
    const auto& rows = traffic::event_kind_rows;
    const auto* const row = std::ranges::find(rows, kind, &traffic::EventKindRow::name);
    return row == rows.end() ? std::string_view() : row->unit;
}

}  // namespace ositrace
