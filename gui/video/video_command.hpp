// SPDX-License-Identifier: MPL-2.0
// Videos that the command line requests: of the scene, and of the whole window.
#pragma once

#include "gui/window/view_options.hpp"

namespace ositrace::gui {

class HeldSignals;
class ViewerWindow;

/// Writes a video of the scene, without a display. Call it before any QApplication exists: it creates its own. Prints a
/// summary to standard output, and errors to standard error; returns the exit status of the program: 0 done, 1 failed,
/// 2 invalid usage. A held signal
/// stops it; what was written is removed.
[[nodiscard]] int take_video(const ViewOptions& options, const HeldSignals& held);

/// The same of the whole window, which is arranged and visible.
[[nodiscard]] int take_window_video(ViewerWindow& window, const ViewOptions& options, const HeldSignals& held);

}  // namespace ositrace::gui
