// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include "gui/scene/scene_state.hpp"
#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// The results of the comparison of the messages that the scene shows; none if others are compared, or too many.
[[nodiscard]] std::vector<SceneMark> marks_of(const Snapshot& snapshot);

}  // namespace ositrace::gui
