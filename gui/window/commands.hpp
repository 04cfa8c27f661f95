// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <map>
#include <vector>

#include <QObject>

#include "gui/window/action_table.hpp"

class QAction;
class QKeyEvent;
class QMainWindow;
class QMenu;
class QWidget;

namespace ositrace::gui {

/// The menus and keys of a window, built from the action table. GUI thread.
class Commands : public QObject {
    Q_OBJECT
public:
    explicit Commands(QMainWindow& window);

    /// Sets the action of a command; a command without an action is disabled.
    void on(Command command, std::function<void()> act);
    [[nodiscard]] QAction& action(Command command) const { return *actions_.at(command); }
    [[nodiscard]] QMenu& menu(Menu menu) const { return *menus_.at(menu); }
    /// Something that is in no menu, but that the palette finds.
    struct Offer {
        QString text;
        std::function<void()> act;
    };
    void offer(const QString& text, std::function<void()> act) { offers_.push_back({text, std::move(act)}); }
    [[nodiscard]] const std::vector<Offer>& offers() const noexcept { return offers_; }
    /// Sets the check mark without running the command.
    void set_checked(Command command, bool checked);

protected:
    /// The focused widget gets the keys that move in it, and what is typed into it; Esc leaves a text field.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::map<Menu, QMenu*> menus_;
    std::map<Command, QAction*> actions_;
    std::vector<Offer> offers_;
};

/// Opens a dialog that finds a command by a part of its name; Enter runs it. `commands` must outlive it.
void show_command_palette(const Commands& commands, QWidget& parent);
/// Opens a dialog with all keys of the action table and the actions of the mouse.
void show_key_list(QWidget& parent);

}  // namespace ositrace::gui
