// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

inline constexpr double scale_bar_height = 26;  ///< pixels at the bottom that it takes

/// How long some metres are on the screen: from above, and in 3D at the camera's target. Returns where it is.
QRectF paint_scale_bar(QPainter& painter, QSize size, const ViewTransform& view, const SceneState& state);
/// Where x, y and z of the world point to. Right, on top; returns where.
QRectF paint_orientation(QPainter& painter, QSize size, const ViewTransform& view, Theme theme);

}  // namespace ositrace::gui
