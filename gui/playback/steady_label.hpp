// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QLabel>

namespace ositrace::gui {

/// Resets the fixed size.
inline void free_size(QLabel& label)
{
    label.setMinimumSize(0, 0);
    label.setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
}

/// Shows a text that changes with every message. The label keeps the size of its largest text until the text is empty:
/// every change of its size would lay out the whole window again.
inline void show_steadily(QLabel& label, const QString& text)
{
    if (text == label.text()) return;
    label.setText(text);
    if (text.isEmpty()) return free_size(label);
    const auto wanted = label.sizeHint().expandedTo(label.minimumSize());
    if (wanted != label.minimumSize() || wanted != label.maximumSize()) label.setFixedSize(wanted);
}

}  // namespace ositrace::gui
