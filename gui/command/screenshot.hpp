// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "gui/window/view_options.hpp"

namespace ositrace::gui {

/// Writes a PNG of the scene at the requested time, without a display. Call it before any QApplication exists: it
/// creates its own. The file appears complete or not at all. Prints errors to standard error; returns the exit status
/// of the program: 0 done, 1 failed (no such time, no message to show, no such directory), 2 invalid usage.
[[nodiscard]] int take_screenshot(const ViewOptions& options);

}  // namespace ositrace::gui
