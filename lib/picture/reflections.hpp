// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ositrace/ray_grid.hpp>

#include "lib/messages/exact_math.hpp"
#include "lib/picture/cloud_builder.hpp"
#include "lib/picture/element_columns.hpp"
#include "lib/picture/measured_points.hpp"
#include "lib/picture/notes.hpp"
#include "lib/picture/sensor_frame.hpp"

namespace ositrace::picture {

/// The directions of rays, in the frame of their sensor: listed, or computed from the angles of a grid on access, which
/// costs less than storing them. Valid as long as its source.
class RayDirections {
public:
    RayDirections() = default;
    explicit RayDirections(std::span<const Vector> listed) noexcept : listed_(listed) {}
    RayDirections(std::span<const scene::SineCosine> azimuths, std::span<const scene::SineCosine> elevations) noexcept
        : azimuths_(azimuths), elevations_(elevations)
    {
    }
    [[nodiscard]] bool empty() const noexcept { return listed_.empty() && (azimuths_.empty() || elevations_.empty()); }
    /// Row by row of a grid.
    [[nodiscard]] Vector operator[](std::uint32_t ray) const noexcept
    {
        if (azimuths_.empty()) return listed_[ray];
        const auto columns = static_cast<std::uint32_t>(azimuths_.size());
        const auto& azimuth = azimuths_[ray % columns];
        const auto& elevation = elevations_[ray / columns];
        return {elevation.cosine * azimuth.cosine, elevation.cosine * azimuth.sine, elevation.sine};
    }

private:
    std::span<const Vector> listed_;
    std::span<const scene::SineCosine> azimuths_, elevations_;
};

/// The directions of a lidar's rays from its view_configuration, kept from frame to frame.
class LidarRays {
public:
    /// Sets the configuration of this frame. Returns it without the long lists of directions and timings, which
    /// Protobuf would have to skip for every field that is read. Both must outlive the call of directions().
    [[nodiscard]] const MessageView& take(const MessageView& configuration);
    /// The direction of each of `count` reflections, in the frame of the sensor: as listed by the configuration, else
    /// from its grid. Empty with a note if it has neither. Valid until the next take().
    [[nodiscard]] RayDirections directions(std::size_t count, Notes& notes);

private:
    void shorten(Bytes wire);
    void read_directions(const FieldRow& row);
    void make_grid(const RayGrid& grid);

    std::vector<Vector> directions_;
    bool listed_ = false;          ///< directions_ are those of bytes_
    std::optional<RayGrid> grid_;  ///< source of the angles
    std::vector<scene::SineCosine> azimuths_, elevations_;
    std::vector<std::byte> bytes_;        ///< Protobuf: of a long configuration
    std::vector<std::byte> short_bytes_;  ///< the same without its lists
    std::optional<MessageView> whole_, short_;
    bool is_long_ = false;
    const FieldRow* row_ = nullptr;
    std::optional<ColumnReader> reader_;
};

/// Builds clouds from the reflections of ray tracers. Reuses its memory; the schema must outlive it.
class ReflectionPainter {
public:
    /// What is known about the lidar at `path` of a source.
    [[nodiscard]] LidarRays& rays_of(std::uint32_t source, const std::string& path);
    /// Of a LidarSensorView; `rays` has its configuration, null if there is none. The distance is half of the way that
    /// light travels in the time of flight; without one there was no return. Returns null if there is nothing to show.
    [[nodiscard]] std::shared_ptr<const Cloud> lidar(const MessageView& sensor_view, LidarRays* rays,
                                                     const SensorFrame& sensor, std::string path, Notes& notes,
                                                     Reach& reach);
    /// Of a RadarSensorView: its reflections contain their angles.
    [[nodiscard]] std::shared_ptr<const Cloud> radar(const MessageView& sensor_view, const SensorFrame& sensor,
                                                     std::string path, Notes& notes, Reach& reach);

private:
    ElementColumns* columns_of(const MessageView& sensor_view);

    std::map<const FieldRow*, ElementColumns> columns_;
    std::map<std::pair<std::uint32_t, std::string>, LidarRays> rays_;  ///< by source and path
};

}  // namespace ositrace::picture
