// SPDX-License-Identifier: MPL-2.0
#include "gui/window/commands.hpp"

#include <algorithm>
#include <utility>

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTextBrowser>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/widgets/list_keys.hpp"
#include "gui/window/action_table.hpp"

namespace ositrace::gui {

namespace {

constexpr std::pair<Menu, const char*> menus[] = {
    {Menu::file, "&File"},     {Menu::playback, "&Playback"}, {Menu::scene, "&Scene"},
    {Menu::window, "&Window"}, {Menu::help, "&Help"},
};

/// A list whose rows cannot be opened does not use Left, Right, Home and End.
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

/// Is a key for the focused widget rather than for the window? Text fields handle typed characters themselves.
bool belongs_to(const QObject& focused, const QKeyEvent& key)
{
    if (qobject_cast<const QLineEdit*>(&focused) != nullptr)
        return key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab || key.key() == Qt::Key_Escape;
    const auto* const view = qobject_cast<const QAbstractItemView*>(&focused);
    return view != nullptr && key.modifiers() == Qt::NoModifier && moves_in(*view, key.key());
}

/// A letter or a digit, without a key that changes its meaning.
bool is_character(const QKeyEvent& key)
{
    const int code = key.key();
    const bool is_letter = code >= Qt::Key_A && code <= Qt::Key_Z, is_digit = code >= Qt::Key_0 && code <= Qt::Key_9;
    return (is_letter || is_digit) && !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

/// Is a key typed into the focused widget? Lists are not for typing: a letter there is a key of the window.
bool is_typed(const QKeyEvent& key)
{
    if (!is_character(key)) return false;
    const auto* const focused = QApplication::focusWidget();
    if (qobject_cast<const QAbstractSpinBox*>(focused) != nullptr) return key.key() <= Qt::Key_9;
    return qobject_cast<const QLineEdit*>(focused) != nullptr || qobject_cast<const QComboBox*>(focused) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(focused) != nullptr;
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
        if (row.menu == Menu::steps && !menus_.contains(Menu::steps))
            menus_[Menu::steps] = menus_[Menu::playback]->addMenu(tr("Step by time"));
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
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        if (QApplication::activePopupWidget() != nullptr || belongs_to(*watched, key) || is_typed(key)) {
            event->accept();
            return true;
        }
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

namespace {

constexpr int offer_role = Qt::UserRole + 1;

/// Finds a command by a part of its name, or of another word for it; Enter does it.
class CommandPalette : public QDialog {
public:
    /// `commands` must outlive it.
    explicit CommandPalette(const Commands& commands, QWidget* parent);

private:
    void list(const QString& words);
    void choose();

    const Commands& commands_;
    QLineEdit* words_ = nullptr;
    QListWidget* found_ = nullptr;
};

CommandPalette::CommandPalette(const Commands& commands, QWidget* parent) : QDialog(parent), commands_(commands)
{
    setObjectName(QStringLiteral("command_palette"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Find a command"));
    resize(420, 360);
    auto* const column = new QVBoxLayout(this);
    words_ = new QLineEdit(this);
    words_->setPlaceholderText(tr("What to do: picture, brake, compare ..."));
    found_ = new QListWidget(this);
    new ListKeys(*words_, *found_);
    column->addWidget(words_);
    column->addWidget(found_);
    connect(words_, &QLineEdit::textChanged, this, &CommandPalette::list);
    connect(words_, &QLineEdit::returnPressed, this, &CommandPalette::choose);
    connect(found_, &QListWidget::itemActivated, this, &CommandPalette::choose);
    list({});
    words_->setFocus();
}

/// Lists the commands and offers whose names, and other words for them, contain all words.
void CommandPalette::list(const QString& words)
{
    found_->clear();
    const auto parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto fits = [&parts](const QString& text) {
        return std::ranges::all_of(parts,
                                   [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
    };
    for (const bool by_name : {true, false}) {  // first those that have the words in their names
        for (const auto& row : action_table()) {
            const auto& action = commands_.action(row.command);
            const auto text = action.text();
            const bool is_found = fits(text + QLatin1Char(' ') + QLatin1String(row.words));
            if (!is_found || fits(text) != by_name || !action.isEnabled()) continue;
            const auto keys = action.shortcut().toString(QKeySequence::NativeText);
            auto* const item = new QListWidgetItem(keys.isEmpty() ? text : tr("%1   (%2)").arg(text, keys), found_);
            item->setData(Qt::UserRole, static_cast<int>(row.command));
        }
    }
    for (std::size_t i = 0; i != commands_.offers().size(); ++i)
        if (const auto& text = commands_.offers()[i].text; fits(text))
            (new QListWidgetItem(text, found_))->setData(offer_role, static_cast<int>(i));
    if (found_->count() == 0) (new QListWidgetItem(tr("No command has this name"), found_))->setFlags(Qt::NoItemFlags);
    found_->setCurrentRow(0);
}

void CommandPalette::choose()
{
    const auto* const item = found_->currentItem();
    if (item == nullptr || !item->flags().testFlag(Qt::ItemIsEnabled)) return;
    if (const auto offer = item->data(offer_role); offer.isValid()) {
        const auto& act = commands_.offers()[static_cast<std::size_t>(offer.toInt())].act;
        auto* const window = parent();
        close();
        QMetaObject::invokeMethod(window, act, Qt::QueuedConnection);
        return;
    }
    auto* const action = &commands_.action(static_cast<Command>(item->data(Qt::UserRole).toInt()));
    close();
    QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

constexpr const char* other_rows[][2] = {
    {"message tree: Left, Right", "close and open a row; , and . step by message"},
    {"message tree: Home, End, PgUp, PgDn", "move in the rows; in tables PgUp, PgDn"},
    {"channels: Enter", "show or hide a channel"},
    {"text: Tab, Esc", "leave the text field"},
    {"scene: left drag", "rotate (from above: move)"},
    {"scene: right or middle drag", "move (from above: right rotates)"},
    {"scene: wheel", "zoom"},
    {"scene: click", "select an object; elsewhere: clear the selection"},
    {"scene: click again, or with Alt", "select the point on the object"},
    {"scene: double click, with Alt", "move the camera to an object; follow it"},
    {"timeline: drag", "scrub"},
    {"timeline: wheel over the names", "scroll the channels"},
    {"timeline: Shift and drag", "select the section to play"},
    {"timeline: wheel, middle drag, double click", "zoom, move, show all"},
    {"timeline: click on a name", "select the active channel"},
    {"plot: click, drag of the cursor, Shift and drag", "seek"},
    {"plot: left drag, wheel, double click", "zoom, zoom the time or an axis, show all"},
    {"plot: Ctrl or middle drag", "move"},
    {"plot: Delete in the list", "remove the curves"},
};

QString row_text(const QString& keys, const QString& text)
{
    return QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
}

QString all_text()
{
    QString text = QStringLiteral("<table cellpadding='2'>");
    for (const auto& row : action_table()) {
        if (*row.keys == '\0') continue;
        if (row.separated) text += QStringLiteral("<tr><td colspan='2'>&nbsp;</td></tr>");
        text += row_text(QString::fromLatin1(row.keys).replace(QLatin1Char(' '), QStringLiteral(" or ")),
                         QString::fromLatin1(row.text).remove(QStringLiteral("...")));
    }
    text += QStringLiteral("<tr><td colspan='2'>&nbsp;</td></tr>");
    for (const auto& [what, does] : other_rows) text += row_text(QString::fromLatin1(what), QString::fromLatin1(does));
    return text + QStringLiteral("</table>");
}

}  // namespace

void show_command_palette(const Commands& commands, QWidget& parent)
{
    (new CommandPalette(commands, &parent))->show();
}

void show_key_list(QWidget& parent)
{
    auto* const dialog = new QDialog(&parent);
    dialog->setObjectName(QStringLiteral("key_list"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QDialog::tr("Keys and mouse"));
    dialog->resize(620, 640);
    auto* const column = new QVBoxLayout(dialog);
    auto* const text = new QTextBrowser(dialog);
    text->setHtml(all_text());
    column->addWidget(text);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    dialog->show();
}

}  // namespace ositrace::gui
