// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ositrace/ray_grid.hpp>

#include "lib/picture/cloud_builder.hpp"
#include "lib/picture/element_columns.hpp"
#include "lib/picture/notes.hpp"
#include "lib/picture/sensor_frame.hpp"

namespace ositrace::picture {

/// Where the rays of a lidar go, as its view_configuration says: its directions, else its grid. Kept from frame to frame.
class LidarRays {
public:
    /// The direction of each of `count` reflections, in the frame of the sensor; empty, and said in the notes, where the configuration
    /// does not say. Valid until the next call.
    [[nodiscard]] std::span<const Point> directions(const MessageView& lidar_sensor_view, std::size_t count, Notes& notes);

private:
    void read_directions(const MessageView& configuration, const FieldRow& row);
    void make_grid(const RayGrid& grid);

    std::vector<Point> directions_;
    std::optional<RayGrid> grid_;       ///< that they were made of
    std::vector<std::byte> bytes_;      ///< of the configuration that they were read from
    const FieldRow* row_ = nullptr;
    std::optional<ColumnReader> reader_;
};

/// Makes clouds of the reflections of ray tracers. Keeps its memory; the schema must outlive it.
class ReflectionPainter {
public:
    /// Of LidarSensorView number `place` of a source. Distance is half the way that light goes in the time of flight; without one there
    /// was no return. Null where there is nothing to show.
    [[nodiscard]] std::shared_ptr<const Cloud> lidar(const MessageView& sensor_view, const SensorFrame& sensor, std::string path, Notes& notes,
                                                     Reach& reach);
    /// Of a RadarSensorView: its reflections bring the angles they came from.
    [[nodiscard]] std::shared_ptr<const Cloud> radar(const MessageView& sensor_view, const SensorFrame& sensor, std::string path, Notes& notes,
                                                     Reach& reach);

private:
    ElementColumns* columns_of(const MessageView& sensor_view);

    std::map<const FieldRow*, ElementColumns> columns_;
    std::map<std::pair<std::uint32_t, std::string>, LidarRays> rays_;  ///< by source and path
};

}  // namespace ositrace::picture
