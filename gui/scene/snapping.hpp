// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QPointF>
#include <QString>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// The place near a pixel that a measurement most probably means: a bumper or a corner of an object, else its side or a
/// boundary of a lane, at the level of the ground. Empty: nothing is near. What is not shown, or is behind a body as
/// seen from the eye, is not offered.
[[nodiscard]] std::optional<MeasuredEnd> snapped_place(const ViewTransform& view, const SceneState& state, QPointF at);

}  // namespace ositrace::gui
