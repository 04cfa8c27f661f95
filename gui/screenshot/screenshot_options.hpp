// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QStringList>

#include "gui/screenshot/screenshot.hpp"

namespace ositrace::gui {

/// Is a picture asked for instead of a window? Before any QApplication: it decides which platform is used.
[[nodiscard]] bool asks_for_screenshot(int argc, char** argv);

/// The command line of a picture: `--screenshot OUT.png [--overwrite] [--time T] [--view bird|3d] [--size WxH] [--theme dark|light]
/// [--colour-by FIELD] [--hide KIND,KIND] FILE...`. Throws Error (usage).
[[nodiscard]] ScreenshotRequest parse_screenshot(const QStringList& arguments);

/// Parses, makes the picture, returns what the program is to exit with.
[[nodiscard]] int run_screenshot(int argc, char** argv);

}  // namespace ositrace::gui
