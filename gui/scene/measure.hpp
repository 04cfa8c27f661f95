// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// `12.34 m  (dx 10.00, dy 7.20, dz 0.50)`, in global directions.
[[nodiscard]] QString describe_distance(const GlobalPoint& from, const GlobalPoint& to);
/// The places that were clicked, and the line between them.
void paint_measured(QPainter& painter, const ViewTransform& view, const SceneState& state);

}  // namespace ositrace::gui
