// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// A label on the screen.
struct PlacedLabel {
    const Thing* thing = nullptr;  ///< in the picture
    QRectF area;
    bool selected = false;
};

/// Labels of road users, and of signs and lights that are near: as many as fit without overlapping each other or the
/// `occupied` areas, road users and what is near first. Road users smaller than 4 pixels and things that are hidden or
/// behind another body have none. The selected thing always has one, if it is on the screen.
[[nodiscard]] std::vector<PlacedLabel> placed_labels(const ViewTransform& view, const SceneState& state,
                                                     const std::vector<QRectF>& occupied);
void paint_labels(QPainter& painter, const std::vector<PlacedLabel>& labels, Theme theme);
/// From above, where the housing hides the bulb: a disc in the colour of each traffic light that is lit. Those of
/// a post are side by side.
void paint_lit_lights(QPainter& painter, const ViewTransform& view, const SceneState& state);
/// The edges of a thing's box.
void paint_outline(QPainter& painter, const ViewTransform& view, const SceneState& state, const ThingKey& key);

/// Describes a thing: `12 car`, its speed, its size.
[[nodiscard]] QStringList describe(const Thing& thing);
/// The values of a point.
[[nodiscard]] QStringList describe_point(const Cloud& cloud, std::size_t point);

}  // namespace ositrace::gui
