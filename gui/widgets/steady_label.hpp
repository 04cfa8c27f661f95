// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>

namespace ositrace::gui {

inline constexpr auto steady_property = "steady";

/// Resets the fixed size.
inline void free_size(QLabel& label)
{
    label.setProperty(steady_property, false);
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
    label.setProperty(steady_property, true);
}

/// Gives the labels below a widget the sizes of what they show now, so that a picture of it does not depend on what
/// they showed before.
inline void fit_steady_labels(QWidget& root)
{
    for (auto* const label : root.findChildren<QLabel*>())
        if (label->property(steady_property).toBool()) label->setFixedSize(label->sizeHint());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

}  // namespace ositrace::gui
