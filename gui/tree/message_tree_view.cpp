// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/message_tree_view.hpp"

#include <algorithm>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

namespace ositrace::gui {

namespace {

/// Rows that are remembered as opened; the rest stays closed when it comes back.
constexpr qsizetype max_remembered = 4096;

QKeySequence copy_path_key() { return {Qt::CTRL | Qt::SHIFT | Qt::Key_C}; }

}  // namespace

MessageTreeView::MessageTreeView(MessageTreeModel& model, QWidget* parent) : QTreeView(parent), model_(model)
{
    setModel(&model);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setTextElideMode(Qt::ElideMiddle);
    constexpr int indentation_that_leaves_room = 12;
    setIndentation(indentation_that_leaves_room);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(MessageTreeModel::field_column,
                                   QHeaderView::Stretch);  // so that unit and type are on the screen
    const auto em = fontMetrics().horizontalAdvance('m');
    header()->setMinimumSectionSize(2 * em);
    header()->resizeSection(MessageTreeModel::unit_column, 3 * em);
    header()->resizeSection(MessageTreeModel::type_column, 9 * em);
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (opened_.size() < max_remembered) opened_.insert(key_of(index));
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) { opened_.remove(key_of(index)); });
}

/// Names and values come first: in a narrow tree the type is in the tooltip only.
void MessageTreeView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    const auto em = fontMetrics().horizontalAdvance('m');
    const auto wide = 48 * em;
    const auto room = viewport()->width();
    setColumnHidden(MessageTreeModel::type_column, room < wide);
    header()->resizeSection(MessageTreeModel::value_column, std::max(8 * em, 3 * room / 10));
}

QString MessageTreeView::key_of(const QModelIndex& index) const
{
    const auto& node = model_.node(index);
    auto key = QString::number(node.source()) + ':' + QString::fromStdString(node.path());
    if (node.kind == MessageNode::Kind::bucket)
        key += '#' + QString::number(node.first) + '/' + QString::number(node.parent->span);
    return key;
}

void MessageTreeView::rowsInserted(const QModelIndex& parent, int first, int last)
{
    QTreeView::rowsInserted(parent, first, last);
    reopen(parent, first, last);
}

void MessageTreeView::reopen(const QModelIndex& parent, int first, int last)
{
    if (opened_.isEmpty()) return;
    for (int row = first; row <= last; ++row) {
        const auto index = model_.index(row, 0, parent);
        if (opened_.contains(key_of(index))) expand(index);
    }
}

void MessageTreeView::reveal(const QModelIndex& index)
{
    for (auto above = index.parent(); above.isValid(); above = above.parent()) expand(above);
    setCurrentIndex(index);
    scrollTo(index);
}

void MessageTreeView::copy_value()
{
    if (currentIndex().isValid()) QGuiApplication::clipboard()->setText(model_.copied_text(currentIndex()));
}

void MessageTreeView::copy_path()
{
    if (currentIndex().isValid())
        QGuiApplication::clipboard()->setText(QString::fromStdString(model_.node(currentIndex()).path()));
}

void MessageTreeView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) return copy_value();
    if (QKeySequence(event->keyCombination()) == copy_path_key()) return copy_path();
    // QTreeView opens everything below: a million rows of a point cloud.
    if (event->key() == Qt::Key_Asterisk) return event->ignore();
    QTreeView::keyPressEvent(event);
}

void MessageTreeView::contextMenuEvent(QContextMenuEvent* event)
{
    if (!currentIndex().isValid()) return;
    QMenu menu;
    menu.addAction(tr("Copy value"), QKeySequence::Copy, this, &MessageTreeView::copy_value);
    menu.addAction(tr("Copy path"), copy_path_key(), this, &MessageTreeView::copy_path);
    menu.addSeparator();
    menu.addAction(tr("Close all"), this, [this] {
        collapseAll();
        opened_.clear();
    });
    menu.exec(event->globalPos());
}

}  // namespace ositrace::gui
