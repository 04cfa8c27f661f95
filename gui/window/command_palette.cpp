// SPDX-License-Identifier: MPL-2.0
#include "gui/window/command_palette.hpp"

#include <algorithm>

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include "gui/window/commands.hpp"

namespace ositrace::gui {

CommandPalette::CommandPalette(const Commands& commands, QWidget* parent) : QDialog(parent), commands_(commands)
{
    setObjectName(QStringLiteral("command_palette"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Find a command"));
    resize(420, 360);
    auto* const column = new QVBoxLayout(this);
    words_ = new QLineEdit(this);
    words_->setPlaceholderText(tr("What do you want to do?"));
    found_ = new QListWidget(this);
    column->addWidget(words_);
    column->addWidget(found_);
    words_->installEventFilter(this);
    connect(words_, &QLineEdit::textChanged, this, &CommandPalette::list);
    connect(words_, &QLineEdit::returnPressed, this, &CommandPalette::choose);
    connect(found_, &QListWidget::itemActivated, this, &CommandPalette::choose);
    list({});
    words_->setFocus();
}

/// All words must stand in the name.
void CommandPalette::list(const QString& words)
{
    found_->clear();
    const auto parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const auto& row : action_table()) {
        const auto& action = commands_.action(row.command);
        const auto text = action.text();
        const bool fits = std::all_of(parts.begin(), parts.end(),
                                      [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
        if (!fits || !action.isEnabled()) continue;
        const auto keys = action.shortcut().toString(QKeySequence::NativeText);
        auto* const item = new QListWidgetItem(keys.isEmpty() ? text : tr("%1   (%2)").arg(text, keys), found_);
        item->setData(Qt::UserRole, static_cast<int>(row.command));
    }
    found_->setCurrentRow(0);
}

void CommandPalette::choose()
{
    const auto* const item = found_->currentItem();
    if (item == nullptr) return;
    auto* const action = &commands_.action(static_cast<Command>(item->data(Qt::UserRole).toInt()));
    close();
    QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            QCoreApplication::sendEvent(found_, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace ositrace::gui
