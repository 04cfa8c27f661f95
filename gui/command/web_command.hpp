// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "gui/window/view_options.hpp"

namespace ositrace::gui {

class HeldSignals;

/// Writes the scene as a web page, without a display. Call it before any QApplication exists: it creates its own.
/// Prints a summary to standard output. A held signal stops it. Throws Error: usage for options that do not fit the
/// trace.
void write_web_page(const ViewOptions& options, const HeldSignals& held);

}  // namespace ositrace::gui
