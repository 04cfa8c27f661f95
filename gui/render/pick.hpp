// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ositrace/picture.hpp>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"

namespace ositrace::gui {

/// What lies under a pixel.
struct Pick {
    ThingKey key;
    const Thing* thing = nullptr;  ///< of the picture; null: a point of a cloud
    const Cloud* cloud = nullptr;  ///< of the picture; null: a thing
    std::size_t point = 0;         ///< of the cloud
    std::string path;              ///< of its message in the frame
    GlobalPoint place{};           ///< under the pixel
    double depth = 0;              ///< metres from the eye's plane
};

/// What a place means where points lie on a body.
enum class PickOrder : std::uint8_t { body_first, point_first };

/// The point of a cloud within `radius` pixels that is nearest to the pixel; of equally near ones the one in front.
[[nodiscard]] std::optional<Pick> pick_point(const Picture& picture, const ViewTransform& view, double x, double y,
                                             double radius, const RenderOptions& options);

/// Of a thing and a point under the same pixel.
[[nodiscard]] std::optional<Pick> chosen_of(std::optional<Pick> thing, std::optional<Pick> point, PickOrder order);

/// `lidar_sensor_view[0].reflection[17]`
[[nodiscard]] std::string path_of_point(const Cloud& cloud, std::size_t point);

}  // namespace ositrace::gui
