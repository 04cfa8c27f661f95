// SPDX-License-Identifier: MPL-2.0
// Pictures that the command line requests: of the scene, and of the whole window.
#pragma once

#include <QImage>
#include <QString>

#include "gui/window/view_options.hpp"

namespace ositrace::gui {

class ViewerWindow;

/// Writes a PNG of the scene at the requested time, without a display. Call it before any QApplication exists: it
/// creates its own. The file appears complete or not at all. Prints errors to standard error; returns the exit status
/// of the program: 0 done, 1 failed (no such time, no message to show, no such directory), 2 invalid usage.
[[nodiscard]] int take_screenshot(const ViewOptions& options);

/// Waits until the window has read and drawn everything. The status line shows no durations, which differ from run to
/// run. `resets_camera`: places the camera anew for the snapshot that is shown then. Throws Error: io, usage.
void prepare_window_picture(ViewerWindow& window, bool resets_camera);

/// The window as it is now; labels have the sizes of what they show.
[[nodiscard]] QImage picture_of(ViewerWindow& window);

/// prepare_window_picture(), and writes a PNG of the whole window. Returns an empty text, or the error.
[[nodiscard]] QString write_window_picture(ViewerWindow& window, const QString& file, bool overwrite,
                                           bool resets_camera = false);

}  // namespace ositrace::gui
