// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// The colours of the clouds: field, unit, range. Right, at the bottom; returns where.
QRectF paint_cloud_bar(QPainter& painter, QSize size, const SceneState& state);

}  // namespace ositrace::gui
