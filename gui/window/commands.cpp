// SPDX-License-Identifier: MPL-2.0
#include "gui/window/commands.hpp"

#include <utility>

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenuBar>

namespace ositrace::gui {

namespace {

constexpr std::pair<Menu, const char*> menus[] = {
    {Menu::file, "&File"}, {Menu::playback, "&Playback"}, {Menu::scene, "&Scene"}, {Menu::window, "&Window"}, {Menu::help, "&Help"},
};

bool moves_in_rows(int key)
{
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: return true;
    default: return false;
    }
}

QList<QKeySequence> keys_of(const ActionRow& row)
{
    QList<QKeySequence> keys;
    for (const auto& each : QString::fromLatin1(row.keys).split(QLatin1Char(' '), Qt::SkipEmptyParts)) keys += QKeySequence(each);
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
    if (event->type() == QEvent::ShortcutOverride && qobject_cast<QAbstractItemView*>(watched) != nullptr) {
        const auto* const key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier && moves_in_rows(key->key())) {
            event->accept();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace ositrace::gui
