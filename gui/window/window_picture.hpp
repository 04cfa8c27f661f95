// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QString>

namespace ositrace::gui {

class ViewerWindow;

/// Waits until the window shows what was asked for, and writes a picture of all of it. Empty, or why it could not.
/// `resets_camera`: to where it begins at the moment that is shown, not at one that was shown on the way there.
[[nodiscard]] QString write_window_picture(ViewerWindow& window, const QString& file, bool overwrite,
                                           bool resets_camera = false);

}  // namespace ositrace::gui
