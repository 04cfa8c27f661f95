// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <utility>

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

namespace ositrace::gui {

/// Turns of a long work in the GUI thread: whatever else waits there comes first, each time.
class DrawingTurns : public QObject {
public:
    explicit DrawingTurns(std::function<void()> take) : take_(std::move(take)) {}

    /// One more.
    void ask()
    {
        // Not a timer of 0 ms: in one round of the event loop that comes behind a repaint and in front of what arrived
        // meanwhile.
        if (!std::exchange(asked_, true))
            QCoreApplication::postEvent(this, new QEvent(QEvent::User), Qt::LowEventPriority);
    }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::User) return QObject::event(event);
        asked_ = false;
        take_();
        return true;
    }

private:
    std::function<void()> take_;
    bool asked_ = false;
};

}  // namespace ositrace::gui
