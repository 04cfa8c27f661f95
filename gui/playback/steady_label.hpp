// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QLabel>

namespace ositrace::gui {

/// For any text again.
inline void free_size(QLabel& label)
{
    label.setMinimumSize(0, 0);
    label.setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
}

/// Shows a text that changes with every message. The label stays as large as its largest text so far, until it has
/// none: one that changes its size lets the whole window be laid out anew.
inline void show_steadily(QLabel& label, const QString& text)
{
    if (text == label.text()) return;
    label.setText(text);
    if (text.isEmpty()) return free_size(label);
    const auto wanted = label.sizeHint().expandedTo(label.minimumSize());
    if (wanted != label.minimumSize() || wanted != label.maximumSize()) label.setFixedSize(wanted);
}

}  // namespace ositrace::gui
