// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QString>

namespace ositrace::gui {

class ViewerWindow;

/// Waits until the window shows what was asked for, and writes a picture of all of it. Empty, or why it could not.
[[nodiscard]] QString write_window_picture(ViewerWindow& window, const QString& file, bool overwrite);

}  // namespace ositrace::gui
