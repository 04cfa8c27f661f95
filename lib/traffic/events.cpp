// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/events.hpp"

#include <ositrace/traffic_events.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ositrace::traffic {

namespace {

constexpr std::array<EventKindRow, event_kind_count> event_kind_rows{{
    {"standstill", "", ""},
    {"hard_braking", "acceleration", "m/s^2"},
    {"hard_acceleration", "acceleration", "m/s^2"},
    {"lane_change", "lateral speed", "m/s"},
    {"lane_departure", "beyond the marking", "m"},
    {"cut_in", "clearance", "m"},
    {"cut_out", "clearance", "m"},
    {"overtaking", "lateral distance", "m"},
    {"red_light_passed", "speed", "m/s"},
    {"collision", "relative speed", "m/s"},
    {"appears", "", ""},
    {"vanishes", "", ""},
    {"gap", "", ""},
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

EventValue value_of_event(std::string_view kind) noexcept
{
    const auto& rows = traffic::event_kind_rows;
    const auto* const row = std::ranges::find(rows, kind, &traffic::EventKindRow::name);
    return row == rows.end() ? EventValue() : EventValue{row->value, row->unit};
}

}  // namespace ositrace
