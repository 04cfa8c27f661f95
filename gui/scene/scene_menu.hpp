// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QPoint>
#include <QStringList>

#include <ositrace/picture.hpp>

class QMenu;

namespace ositrace::gui {

class SceneView;

/// What can be changed about the scene: colours and size of points, what is shown, the view.
void show_scene_menu(SceneView& view, QPoint at);
/// The same entries, for a menu of the window.
void fill_scene_menu(SceneView& view, QMenu& menu);

/// What clouds of a picture can be coloured by.
[[nodiscard]] QStringList cloud_fields(const Picture& picture);

}  // namespace ositrace::gui
