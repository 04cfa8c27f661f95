// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>

#include "lib/picture/layer_builder.hpp"
#include "lib/picture/sensor_frame.hpp"

namespace ositrace::picture {

/// The field of view of a sensor, relative to its forward axis; radians.
struct FieldOfView {
    double left = 0, right = 0;  ///< azimuths
    double top = 0, bottom = 0;  ///< elevations
    double range = 0;            ///< m
    bool is_configured = false;  ///< the range is that of the configuration
};

/// From a view_configuration; nullopt if it has none. `seen`: the range to use if the configuration has none.
[[nodiscard]] std::optional<FieldOfView> field_of_view_in(const MessageView& configuration, const Reach& seen);
/// The field of view that contains the detections of a frame.
[[nodiscard]] std::optional<FieldOfView> field_of_view_of(const Reach& seen);

/// The outline: a wedge at the height of the sensor, and its upper and lower limits at the edges.
void add_field_of_view(LayerBuilder& to, const SensorFrame& sensor, const FieldOfView& view, std::string path);

/// The polygons of a VirtualDetectionArea, in the frame of the virtual sensor.
void add_virtual_detection_area(LayerBuilder& to, const MessageView& area, const SensorFrame& sensor,
                                const std::string& path);

}  // namespace ositrace::picture
