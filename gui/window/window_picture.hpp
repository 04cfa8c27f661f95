// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QImage>
#include <QString>

namespace ositrace::gui {

class ViewerWindow;

/// Waits until the window has read and drawn everything. The status line shows no durations, which differ from run to
/// run. `resets_camera`: places the camera anew for the snapshot that is shown then. Throws Error: io, usage.
void prepare_window_picture(ViewerWindow& window, bool resets_camera);

/// The window as it is now; labels have the sizes of what they show.
[[nodiscard]] QImage picture_of(ViewerWindow& window);

/// prepare_window_picture(), and writes a PNG of the whole window. Returns an empty text, or the error.
[[nodiscard]] QString write_window_picture(ViewerWindow& window, const QString& file, bool overwrite,
                                           bool resets_camera = false);

}  // namespace ositrace::gui
