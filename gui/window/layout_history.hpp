// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include <QByteArray>
#include <QObject>
#include <QTimer>

class QMainWindow;

namespace ositrace::gui {

/// Remembers how the panels were arranged, so that a change can be undone.
class LayoutHistory : public QObject {
    Q_OBJECT
public:
    /// `window`: its panels exist.
    explicit LayoutHistory(QMainWindow& window);
    void undo() { go(-1); }
    void redo() { go(1); }

private:
    void note();
    void go(int direction);

    QMainWindow& window_;
    std::vector<QByteArray> states_;
    std::size_t now_ = 0;
    QTimer settled_;
};

}  // namespace ositrace::gui
