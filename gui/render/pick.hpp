// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ositrace/picture.hpp>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"

namespace ositrace::gui {

/// The object under a pixel.
struct Pick {
    ThingKey key;
    const Thing* thing = nullptr;  ///< in the picture; null: a point of a cloud
    const Cloud* cloud = nullptr;  ///< in the picture; null: a thing
    std::size_t point = 0;         ///< index in the cloud
    std::string path;              ///< path of its message in the frame
    GlobalPoint place{};           ///< under the pixel
    double depth = 0;              ///< metres from the eye's plane
};

/// What is picked if points lie on a body.
enum class PickOrder : std::uint8_t { body_first, point_first };

/// The point of a cloud that is nearest to the pixel, within `radius` pixels; of equally near points, the one closest
/// to the eye.
[[nodiscard]] std::optional<Pick> pick_point(const Picture& picture, const ViewTransform& view, double x, double y,
                                             double radius, const RenderOptions& options);

/// Selects between a thing and a point under the same pixel.
[[nodiscard]] std::optional<Pick> chosen_of(std::optional<Pick> thing, std::optional<Pick> point, PickOrder order);

/// `lidar_sensor_view[0].reflection[17]`
[[nodiscard]] std::string path_of_point(const Cloud& cloud, std::size_t point);

}  // namespace ositrace::gui
