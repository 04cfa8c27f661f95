// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/message_tree_panel.hpp"

#include <algorithm>

#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "gui/find/search_bar.hpp"
#include "gui/selection/selection.hpp"
#include "gui/text/value_text.hpp"
#include "gui/tree/documentation.hpp"

namespace ositrace::gui {

namespace {

/// Rows remembered as opened; others stay closed when they return.
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
    setTextElideMode(Qt::ElideRight);
    setDragEnabled(true);
    constexpr int indentation_that_leaves_room = 12;
    setIndentation(indentation_that_leaves_room);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(MessageTreeModel::field_column,
                                   QHeaderView::Stretch);  // so that unit and type are visible
    const auto em = fontMetrics().horizontalAdvance('m');
    header()->setMinimumSectionSize(2 * em);
    header()->resizeSection(MessageTreeModel::unit_column, 5 * em / 2);
    header()->resizeSection(MessageTreeModel::type_column, 9 * em);
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (opened_.size() < max_remembered) opened_.insert(key_of(index));
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) { opened_.remove(key_of(index)); });
}

/// Names and values take precedence: a narrow tree shows the type in the tooltip only.
void MessageTreeView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    const auto em = fontMetrics().horizontalAdvance('m');
    const auto wide = 48 * em, time = fontMetrics().horizontalAdvance(QStringLiteral("(4, 983000000)")) + em;
    const auto room = viewport()->width();
    setColumnHidden(MessageTreeModel::type_column, room < wide);
    header()->resizeSection(MessageTreeModel::value_column, std::max(time, 3 * room / 10));
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

DraggedFields MessageTreeView::plotted() const
{
    const auto* const snapshot = model_.snapshot();
    if (!currentIndex().isValid() || snapshot == nullptr) return {};
    const auto& node = model_.node(currentIndex());
    auto expression = plotted_expression(*snapshot, node.source(), node.path());
    if (expression.empty()) return {};
    return {.source = node.source(), .expressions = {std::move(expression)}};
}

void MessageTreeView::startDrag(Qt::DropActions) { drag(plotted(), *this); }

void MessageTreeView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) return copy_value();
    if (QKeySequence(event->keyCombination()) == copy_path_key()) return copy_path();
    // QTreeView would open everything below: a million rows of a point cloud.
    if (event->key() == Qt::Key_Asterisk) return event->ignore();
    QTreeView::keyPressEvent(event);
}

bool MessageTreeView::has_states() const
{
    if (!currentIndex().isValid()) return false;
    const auto* const field = model_.node(currentIndex()).field;
    if (field == nullptr || field->kind == FieldKind::double_ || field->kind == FieldKind::float_ ||
        field->kind == FieldKind::bytes)
        return false;
    return field->child == nullptr || (field->child->fields.size() == 1 && field->child->fields[0].name == "value");
}

void MessageTreeView::contextMenuEvent(QContextMenuEvent* event)
{
    if (!currentIndex().isValid()) return;
    QMenu menu;
    menu.addAction(tr("Copy value"), QKeySequence::Copy, this, &MessageTreeView::copy_value);
    menu.addAction(tr("Copy path"), copy_path_key(), this, &MessageTreeView::copy_path);
    if (has_states())
        menu.addAction(tr("Show its states over time"), this, [this] {
            const auto& node = model_.node(currentIndex());
            emit states_requested(node.source(), node.path());
        });
    menu.addSeparator();
    add_plot_actions(menu, plotted(), [this](std::uint32_t source, const std::string& expression) {
        emit plot_requested(source, expression);
    });
    menu.addSeparator();
    menu.addAction(tr("Close all"), this, [this] {
        collapseAll();
        opened_.clear();
    });
    menu.exec(event->globalPos());
}

MessageTreePanel::MessageTreePanel(Selection& selection, QWidget* parent) : QWidget(parent), selection_(selection)
{
    build();
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &MessageTreePanel::select_row);
    connect(search_, &SearchBar::chosen, this, [this](std::uint32_t source, const std::string& path) {
        auto index = model_.find(source, path);
        if (!index.isValid()) {
            unset_->setChecked(true);
            index = model_.find(source, path);
        }
        if (index.isValid()) view_->reveal(index);
    });
    connect(view_, &MessageTreeView::states_requested, this, &MessageTreePanel::states_requested);
    connect(view_, &MessageTreeView::plot_requested, this, &MessageTreePanel::plot_requested);
    connect(&selection_, &Selection::changed, this, &MessageTreePanel::show_selection);
}

void MessageTreePanel::build()
{
    search_ = new SearchBar;
    view_ = new MessageTreeView(model_);
    view_->setObjectName("message_tree");
    documentation_ = new QTextBrowser;
    documentation_->setObjectName("documentation");
    documentation_->hide();  // until a field is selected
    unset_ = new QCheckBox(tr("Show fields that are not set"));
    unset_->setObjectName("show_unset");
    model_.show_unset(unset_->isChecked());
    connect(unset_, &QCheckBox::toggled, this, &MessageTreePanel::show_unset);

    auto* const parts = new QSplitter(Qt::Vertical);
    parts->addWidget(view_);
    parts->addWidget(documentation_);
    parts->setStretchFactor(0, 4);
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(true);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addWidget(search_);
    all->addWidget(unset_);
    all->addWidget(parts, 1);
}

void MessageTreePanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    {
        // Removing the selected row must not select another one.
        const QScopedValueRollback updating(updating_, true);
        const bool was_empty = model_.rowCount() == 0;
        model_.show(snapshot);
        if (was_empty) open_first_channel();
    }
    search_->show_snapshot(snapshot);
    show_selection();
}

void MessageTreePanel::open_first_channel()
{
    if (model_.rowCount() != 0) view_->expand(model_.index(0, 0));
}

void MessageTreePanel::show_unset(bool shows)
{
    {
        const QScopedValueRollback updating(updating_, true);
        model_.show_unset(shows);
    }
    show_selection();
}

void MessageTreePanel::focus_search() { search_->focus(); }

void MessageTreePanel::show_selection()
{
    const QScopedValueRollback updating(updating_, true);
    const auto& current = selection_.current();
    if (!current) {
        view_->selectionModel()->clear();
        show_text({});
        return;
    }
    search_->search_near(current->source, current->path);
    // A range of elements has the path of its list: it stays selected.
    if (!is_current(*current)) {
        const auto index = model_.find(current->source, current->path);
        if (index.isValid() && index != view_->currentIndex().siblingAtColumn(0)) view_->reveal(index);
    }
    if (is_current(*current))
        show_documentation(view_->currentIndex());
    else
        show_as_missing(*current);
}

/// A thing that is absent, or part of a map from another message.
void MessageTreePanel::show_as_missing(const Selected& selected)
{
    auto html =
        tr("<p>This message has no <b>%1</b>.</p>").arg(visible_text(selected.path, shown_characters).toHtmlEscaped());
    if (const auto* const snapshot = model_.snapshot(); snapshot != nullptr && snapshot->picture)
        for (const auto& note : snapshot->picture->notes)
            if (note.source == selected.source && note.kind == PictureNote::Kind::information)
                html += QStringLiteral("<p>%1</p>").arg(visible_text(note.text, shown_characters).toHtmlEscaped());
    show_text(html);
}

void MessageTreePanel::show_text(const QString& html)
{
    documentation_->setHtml(html);
    documentation_->setVisible(!html.isEmpty());
}

bool MessageTreePanel::is_current(const Selected& selected) const
{
    const auto current = view_->currentIndex();
    if (!current.isValid()) return false;
    const auto& node = model_.node(current);
    return node.source() == selected.source && node.path() == selected.path;
}

void MessageTreePanel::select_row(const QModelIndex& current)
{
    if (updating_) return;
    show_documentation(current);
    if (!current.isValid()) return;
    const auto& node = model_.node(current);
    auto path = node.path();
    search_->search_near(node.source(), path);
    const auto* const snapshot = model_.snapshot();
    const auto thing = snapshot->picture ? thing_at(*snapshot->picture, node.source(), path) : std::nullopt;
    const QScopedValueRollback updating(updating_, true);
    selection_.select({thing, node.source(), std::move(path)});
}

void MessageTreePanel::show_documentation(const QModelIndex& current)
{
    if (!current.isValid()) return show_text({});
    const auto& node = model_.node(current);
    const bool is_message = node.kind == MessageNode::Kind::channel || node.kind == MessageNode::Kind::element;
    show_text(is_message && node.table != nullptr ? documentation_html(*node.table)
                                                  : documentation_html(node.place(), node.holder()));
}

}  // namespace ositrace::gui
