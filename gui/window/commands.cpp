// SPDX-License-Identifier: MPL-2.0
#include "gui/window/commands.hpp"

#include <utility>

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenuBar>
#include <QTreeView>

namespace ositrace::gui {

namespace {

constexpr std::pair<Menu, const char*> menus[] = {
    {Menu::file, "&File"},     {Menu::playback, "&Playback"}, {Menu::scene, "&Scene"},
    {Menu::window, "&Window"}, {Menu::help, "&Help"},
};

/// A list whose rows cannot be opened has no use for left and right, nor for the ends of a row.
bool has_rows_to_open(const QAbstractItemView& view)
{
    const auto* const tree = qobject_cast<const QTreeView*>(&view);
    return tree != nullptr && tree->rootIsDecorated();
}

bool moves_in(const QAbstractItemView& view, int key)
{
    switch (key) {
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End: return has_rows_to_open(view);
    default: return false;
    }
}

/// Whether a key means what has the focus rather than the window. What a text field types it keeps without being asked.
bool belongs_to(const QObject& focused, const QKeyEvent& key)
{
    if (qobject_cast<const QLineEdit*>(&focused) != nullptr)
        return key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab || key.key() == Qt::Key_Escape;
    const auto* const view = qobject_cast<const QAbstractItemView*>(&focused);
    return view != nullptr && key.modifiers() == Qt::NoModifier && moves_in(*view, key.key());
}

QList<QKeySequence> keys_of(const ActionRow& row)
{
    QList<QKeySequence> keys;
    for (const auto& each : QString::fromLatin1(row.keys).split(QLatin1Char(' '), Qt::SkipEmptyParts))
        keys += QKeySequence(each);
    return keys;
}

}  // namespace

Commands::Commands(QMainWindow& window) : QObject(&window)
{
    for (const auto& [menu, title] : menus) menus_[menu] = window.menuBar()->addMenu(tr(title));
    for (const auto& row : action_table()) {
        if (row.separated) menus_[row.menu]->addSeparator();
        auto* const action = menus_[row.menu]->addAction(tr(row.text));
        action->setShortcuts(keys_of(row));
        action->setCheckable(row.checkable);
        action->setEnabled(false);
        window.addAction(action);  // keys work while the menu bar is hidden
        actions_[row.command] = action;
    }
    qApp->installEventFilter(this);
}

void Commands::on(Command command, std::function<void()> act)
{
    auto* const action = actions_.at(command);
    action->setEnabled(true);
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
}

void Commands::set_checked(Command command, bool checked) { actions_.at(command)->setChecked(checked); }

bool Commands::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && belongs_to(*watched, *static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        auto* const text = qobject_cast<QLineEdit*>(watched);
        if (text != nullptr && text->window() == parent()) {
            text->clearFocus();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace ositrace::gui
