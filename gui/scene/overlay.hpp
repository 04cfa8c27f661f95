// SPDX-License-Identifier: MPL-2.0
// What is written over a scene: by Qt's raster painter, so that it looks the same in the window and in a picture made
// without one.
#pragma once

#include <QImage>
#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// Labels, legend, colour bar, notes, scale, axes, what is measured and what the mouse rests on. `size` in pixels of
/// the screen.
void paint_overlay(QPainter& painter, QSize size, const SceneState& state);

/// The same as pixels to lay over the scene.
[[nodiscard]] QImage overlay_image(QSize size, double pixel_ratio, const SceneState& state);

}  // namespace ositrace::gui
