// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/frame.hpp>

#include "lib/picture/layer_builder.hpp"

namespace ositrace::picture {

// What a SensorData detected, in the frame of the virtual sensor that `to` places: boxes without faces over the true
// ones.
void add_detected_moving_objects(LayerBuilder& to, const MessageView& sensor_data);
void add_detected_stationary_objects(LayerBuilder& to, const MessageView& sensor_data);
void add_detected_traffic_signs(LayerBuilder& to, const MessageView& sensor_data);
void add_detected_traffic_lights(LayerBuilder& to, const MessageView& sensor_data, std::optional<Nanoseconds> time);
void add_detected_road_markings(LayerBuilder& to, const MessageView& sensor_data);

}  // namespace ositrace::picture
