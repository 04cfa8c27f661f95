// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// A name on the screen.
struct PlacedLabel {
    const Thing* thing = nullptr;  ///< of the picture
    QRectF area;
    bool selected = false;
};

/// Names of what can be met, the nearest first, as many as fit without covering each other or what is `taken`. A thing
/// that is not shown or stands behind another body has none; the selected one has one also where it is hidden by
/// others.
[[nodiscard]] std::vector<PlacedLabel> placed_labels(const ViewTransform& view, const SceneState& state,
                                                     std::vector<QRectF> taken);
void paint_labels(QPainter& painter, const std::vector<PlacedLabel>& labels, Theme theme);
/// The edges of a thing's box.
void paint_outline(QPainter& painter, const ViewTransform& view, const SceneState& state, const ThingKey& key);

/// What is known of a thing: `12 car`, its speed, its size.
[[nodiscard]] QStringList describe(const Thing& thing);
/// The values of a point.
[[nodiscard]] QStringList describe_point(const Cloud& cloud, std::size_t point);

}  // namespace ositrace::gui
