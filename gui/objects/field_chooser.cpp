// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/field_chooser.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace ositrace::gui {

namespace {

constexpr std::size_t most_paths = 20'000;  // of a schema in a file, which may be anything
constexpr std::size_t deepest = 12;

void list_leaves(const MessageTable& table, const std::string& above, std::vector<const MessageTable*>& inside,
                 std::vector<std::string>& paths)
{
    // A message that contains itself is listed once.
    if (inside.size() == deepest || std::ranges::find(inside, &table) != inside.end()) return;
    inside.push_back(&table);
    for (const auto& field : table.fields) {
        if (paths.size() >= most_paths) break;
        const auto path = above + std::string(field.name) + (field.repeated ? "[*]" : "");
        if (field.kind == FieldKind::message)
            list_leaves(*field.child, path + '.', inside, paths);
        else if (field.kind != FieldKind::bytes)
            paths.push_back(path);
    }
    inside.pop_back();
}

}  // namespace

std::vector<std::string> leaf_paths(const std::vector<const MessageTable*>& tables)
{
    std::vector<std::string> paths;
    std::vector<const MessageTable*> inside;
    for (const auto* const table : tables) list_leaves(*table, {}, inside, paths);
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

FieldChooser::FieldChooser(std::vector<std::string> paths, QWidget* parent) : QDialog(parent), paths_(std::move(paths))
{
    setObjectName(QStringLiteral("field_chooser"));
    setWindowTitle(tr("Add a column"));
    resize(460, 420);
    words_ = new QLineEdit;
    words_->setObjectName(QStringLiteral("field_words"));
    words_->setPlaceholderText(tr("Parts of the path, such as acceleration x"));
    words_->setClearButtonEnabled(true);
    words_->installEventFilter(this);
    found_ = new QListWidget;
    found_->setObjectName(QStringLiteral("field_list"));
    found_->setUniformItemSizes(true);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Add"));
    auto* const all = new QVBoxLayout(this);
    all->addWidget(words_);
    all->addWidget(found_, 1);
    all->addWidget(buttons);
    connect(words_, &QLineEdit::textChanged, this, &FieldChooser::list);
    connect(found_, &QListWidget::itemDoubleClicked, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    list({});
}

void FieldChooser::list(const QString& words)
{
    const auto parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    found_->clear();
    for (const auto& path : paths_) {
        const auto text = QString::fromStdString(path);
        if (std::ranges::all_of(parts, [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); }))
            found_->addItem(text);
    }
    found_->setCurrentRow(0);
}

std::string FieldChooser::chosen() const
{
    const auto* const item = found_->currentItem();
    return item == nullptr ? std::string() : item->text().toStdString();
}

/// The arrows move in the list while words are typed.
bool FieldChooser::eventFilter(QObject* watched, QEvent* event)
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
