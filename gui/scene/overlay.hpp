// SPDX-License-Identifier: MPL-2.0
// The overlay of a scene, painted by Qt's raster painter, so that it is identical in a window and in a picture file.
#pragma once

#include <chrono>

#include <QImage>
#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// `12.34 m  (dx 10.00, dy 7.20, dz 0.50)`, in global directions.
[[nodiscard]] QString describe_distance(const GlobalPoint& from, const GlobalPoint& to);

/// `from front bumper of 12 car to 9 solid line`; empty: both ends are at no thing.
[[nodiscard]] QString describe_ends(const MeasuredEnd& from, const MeasuredEnd& to);

/// Labels, legend, colour bar, notes, scale, axes, measured distance and the description of the hovered object. `size`
/// in logical pixels.
/// Returns what the labels took.
std::chrono::nanoseconds paint_overlay(QPainter& painter, QSize size, const SceneState& state);

/// The same as an image with a transparent background.
[[nodiscard]] QImage overlay_image(QSize size, double pixel_ratio, const SceneState& state,
                                   std::chrono::nanoseconds* of_labels = nullptr);

}  // namespace ositrace::gui
