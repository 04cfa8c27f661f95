// SPDX-License-Identifier: MPL-2.0
#include "app/bench/columns/elements.hpp"

#include <algorithm>
#include <array>

#include <ositrace/columns.hpp>

namespace ositrace::bench {

std::span<const Elements> element_kinds()
{
    static const std::array kinds{
        Elements{ElementKind::reflections,
                 MessageType::sensor_view,
                 "lidar reflections",
                 "reflection",
                 "",
                 "lidar_sensor_view",
                 "reflection",
                 {"signal_strength", "time_of_flight"}},
        Elements{ElementKind::detections,
                 MessageType::sensor_data,
                 "lidar detections",
                 "detection",
                 "feature_data",
                 "lidar_sensor",
                 "detection",
                 {"position.distance", "position.azimuth", "position.elevation", "intensity"}},
    };
    return kinds;
}

void for_each_sensor(const Elements& elements, const MessageView& frame,
                     const std::function<void(const MessageView&)>& visit)
{
    auto holder = frame;
    if (!elements.parent.empty()) {
        const auto parent = frame[elements.parent];
        if (!std::holds_alternative<MessageView>(parent)) return;
        holder = std::get<MessageView>(parent);
    }
    holder.for_each_element(*holder.table().find(elements.sensors), [&](const Value& sensor) {
        visit(std::get<MessageView>(sensor));
        return true;
    });
}

std::size_t count_elements(const Elements& elements, const Sample& sample)
{
    std::size_t count = 0;
    for (const auto& frame : sample.protobuf)
        for_each_sensor(elements, {frame, *sample.table, Format{}}, [&](const MessageView& sensor) {
            count += sensor.repeated(*sensor.table().find(elements.elements)).size();
        });
    return count;
}

const Elements* elements_in(const Sample& sample)
{
    const auto found = std::ranges::find_if(element_kinds(), [&](const Elements& elements) {
        return elements.message == sample.type && count_elements(elements, sample) != 0;
    });
    return found == element_kinds().end() ? nullptr : &*found;
}

}  // namespace ositrace::bench
