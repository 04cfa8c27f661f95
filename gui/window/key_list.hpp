// SPDX-License-Identifier: MPL-2.0
#pragma once

class QWidget;

namespace ositrace::gui {

/// Shows all keys, of the action table, and what the mouse does.
void show_key_list(QWidget& parent);

}  // namespace ositrace::gui
