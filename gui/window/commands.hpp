// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <map>

#include <QObject>

#include "gui/window/action_table.hpp"

class QAction;
class QMainWindow;
class QMenu;

namespace ositrace::gui {

/// The menus and keys of a window, made of the action table. GUI thread.
class Commands : public QObject {
    Q_OBJECT
public:
    explicit Commands(QMainWindow& window);

    /// What a command does; a command that nobody serves is disabled.
    void on(Command command, std::function<void()> act);
    [[nodiscard]] QAction& action(Command command) const { return *actions_.at(command); }
    [[nodiscard]] QMenu& menu(Menu menu) const { return *menus_.at(menu); }
    /// Shows without acting.
    void set_checked(Command command, bool checked);

protected:
    /// What has the focus takes the keys that move in it; Esc leaves a text field.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::map<Menu, QMenu*> menus_;
    std::map<Command, QAction*> actions_;
};

}  // namespace ositrace::gui
