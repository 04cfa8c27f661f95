// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QImage>
#include <QLineF>
#include <QPolygonF>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"
#include "gui/render/pick.hpp"

namespace ositrace::gui {

/// Draws the bird's eye view without OpenGL. `size` in device pixels.
[[nodiscard]] QImage paint_picture(const Picture& picture, const Camera& camera, const RenderOptions& options,
                                   QSize size);

/// The object under a pixel of it.
[[nodiscard]] std::optional<Pick> pick_painted(const Picture& picture, const ViewTransform& view, double x, double y,
                                               const RenderOptions& options, PickOrder order = PickOrder::body_first);

/// The part of a line within the square from -limit to limit; empty if there is none, or if a coordinate is not finite.
[[nodiscard]] std::optional<QLineF> clipped(QPointF from, QPointF to, double limit);

/// The part of a polygon of finite corners within that square.
[[nodiscard]] QPolygonF clipped(QPolygonF polygon, double limit);

}  // namespace ositrace::gui
