// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QIcon>

namespace ositrace::gui {

/// An icon of strokes, sharp at every size, in the colour of the text of buttons. `path`: on a grid of 24 x 24, each
/// command with its numbers separated by blanks: `M x y`, `L x y`, `C x y x y x y`, `O x y r` (a circle), `Z`.
[[nodiscard]] QIcon path_icon(const char* path);

}  // namespace ositrace::gui
