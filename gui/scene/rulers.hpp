// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include <QPainter>
#include <QRectF>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// A number at the edge of the bird's eye view: where a line of this x or y leaves the view.
struct AxisNumber {
    QString text;  ///< `x 120`
    QRectF area;
};

/// In global coordinates, at round distances: of one axis at the bottom, of the other one at the left, where they do
/// not overlap the `occupied` areas. None in 3D.
[[nodiscard]] std::vector<AxisNumber> axis_numbers(const ViewTransform& view, const SceneState& state,
                                                   const std::vector<QRectF>& occupied);
void paint_axis_numbers(QPainter& painter, const std::vector<AxisNumber>& numbers, Theme theme);
/// `x 12.34  y -5.60  m`
[[nodiscard]] QString coordinates_text(const GlobalPoint& place);

}  // namespace ositrace::gui
