// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QSize>
#include <QString>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// Why the scene shows nothing of its picture, and what to do; empty: it shows something. What may be visible counts as
/// visible.
[[nodiscard]] QString why_nothing_is_seen(const SceneState& state, QSize size);

}  // namespace ositrace::gui
