// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QPoint>
#include <QStringList>

#include "gui/render/pick.hpp"

namespace ositrace::gui {

class SceneView;

/// What can be done with what is under the mouse, if anything is, and what can be changed about the scene: colours and
/// size of points, what is shown, the view.
void show_scene_menu(SceneView& view, QPoint at, const std::optional<Pick>& under_mouse);

/// What clouds of a picture can be coloured by.
[[nodiscard]] QStringList cloud_fields(const Picture& picture);

}  // namespace ositrace::gui
