// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QImage>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"
#include "gui/render/pick.hpp"

namespace ositrace::gui {

/// The bird's eye without OpenGL. `size` in device pixels.
[[nodiscard]] QImage paint_picture(const Picture& picture, const Camera& camera, const RenderOptions& options,
                                   QSize size);

/// What lies under a pixel of it.
[[nodiscard]] std::optional<Pick> pick_painted(const Picture& picture, const ViewTransform& view, double x, double y,
                                               const RenderOptions& options, PickOrder order = PickOrder::body_first);

}  // namespace ositrace::gui
