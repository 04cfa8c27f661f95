// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// Names of what can be met, the nearest first, as many as fit without covering each other; of the selected thing always.
void paint_labels(QPainter& painter, const ViewTransform& view, const SceneState& state);
/// The edges of a thing's box.
void paint_outline(QPainter& painter, const ViewTransform& view, const SceneState& state, const ThingKey& key);

/// What is known of a thing: `12 car`, its speed, its size.
[[nodiscard]] QStringList describe(const Thing& thing);
/// The values of a point.
[[nodiscard]] QStringList describe_point(const Cloud& cloud, std::size_t point);

}  // namespace ositrace::gui
