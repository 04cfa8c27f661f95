// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QCoreApplication>
#include <QKeyEvent>
#include <QWidget>

namespace ositrace::gui {

/// The arrows up and down move in a list while words are typed into another widget, which owns this.
class ListKeys : public QObject {
public:
    /// `list` must live as long as `typed`.
    ListKeys(QWidget& typed, QWidget& list) : QObject(&typed), list_(list) { typed.installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::KeyPress) {
            const auto key = static_cast<QKeyEvent*>(event)->key();
            if (key == Qt::Key_Up || key == Qt::Key_Down) {
                QCoreApplication::sendEvent(&list_, event);
                return true;
            }
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QWidget& list_;
};

}  // namespace ositrace::gui
