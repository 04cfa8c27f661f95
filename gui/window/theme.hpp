// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/palette.hpp>

class QApplication;

namespace ositrace::gui {

/// Colours of all widgets. The style becomes Fusion, which looks the same everywhere.
void apply_theme(QApplication& application, Theme theme);

/// The preference of the desktop.
[[nodiscard]] Theme preferred_theme();

}  // namespace ositrace::gui
