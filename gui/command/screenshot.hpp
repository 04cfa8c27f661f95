// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "gui/window/view_options.hpp"

namespace ositrace::gui {

/// Writes a PNG of the scene at the requested time, without a display. Call it before any QApplication exists: it
/// creates its own. The file appears complete or not at all. Throws Error: usage for options that do not fit the trace,
/// else no message to show, no such directory ...
void take_screenshot(const ViewOptions& options);

}  // namespace ositrace::gui
