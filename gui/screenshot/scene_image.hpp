// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <QImage>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// A scene with everything that is written over it, at exactly this size. By EGL; where it does not draw, or not so
/// large a picture, from above by Qt's painter, and `why_painted` says why. Needs a QGuiApplication.
[[nodiscard]] QImage scene_image(SceneState state, QSize size, std::string& why_painted);

}  // namespace ositrace::gui
