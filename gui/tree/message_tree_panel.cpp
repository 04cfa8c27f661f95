// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/message_tree_panel.hpp"

#include <QCheckBox>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "gui/selection/thing_path.hpp"
#include "gui/tree/documentation.hpp"
#include "gui/tree/message_tree_view.hpp"
#include "gui/tree/search_bar.hpp"
#include "gui/tree/value_text.hpp"

namespace ositrace::gui {

MessageTreePanel::MessageTreePanel(Selection& selection, QWidget* parent) : QWidget(parent), selection_(selection)
{
    build();
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &MessageTreePanel::give_selection);
    connect(search_, &SearchBar::chosen, this, [this](std::uint32_t source, const std::string& path) {
        const auto index = model_.find(source, path);
        if (index.isValid()) view_->reveal(index);
    });
    connect(&selection_, &Selection::changed, this, &MessageTreePanel::take_selection);
}

void MessageTreePanel::build()
{
    search_ = new SearchBar;
    view_ = new MessageTreeView(model_);
    view_->setObjectName("message_tree");
    documentation_ = new QTextBrowser;
    documentation_->setObjectName("documentation");
    documentation_->setPlaceholderText(tr("What OSI says of the selected field"));
    auto* const unset = new QCheckBox(tr("Show fields that are not set"));
    unset->setObjectName("show_unset");
    unset->setChecked(true);
    connect(unset, &QCheckBox::toggled, this, &MessageTreePanel::show_unset);

    auto* const parts = new QSplitter(Qt::Vertical);
    parts->addWidget(view_);
    parts->addWidget(documentation_);
    parts->setStretchFactor(0, 4);
    parts->setStretchFactor(1, 1);
    parts->setChildrenCollapsible(true);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addWidget(search_);
    all->addWidget(unset);
    all->addWidget(parts, 1);
}

void MessageTreePanel::show_moment(const std::shared_ptr<const Moment>& moment)
{
    {
        // A row that goes away selects no other one.
        const QScopedValueRollback taking(taking_, true);
        const bool was_empty = model_.rowCount() == 0;
        model_.show(moment);
        if (was_empty) open_first_channel();
    }
    search_->show_moment(moment);
    take_selection();
}

void MessageTreePanel::open_first_channel()
{
    if (model_.rowCount() != 0) view_->expand(model_.index(0, 0));
}

void MessageTreePanel::show_unset(bool shows)
{
    {
        const QScopedValueRollback taking(taking_, true);
        model_.show_unset(shows);
    }
    take_selection();
}

void MessageTreePanel::focus_search() { search_->focus(); }

void MessageTreePanel::take_selection()
{
    const QScopedValueRollback taking(taking_, true);
    const auto& current = selection_.current();
    if (!current) {
        view_->selectionModel()->clear();
        return;
    }
    search_->search_near(current->source, current->path);
    // A range of elements has the path of its list: it stays.
    if (!stands_at(*current)) {
        const auto index = model_.find(current->source, current->path);
        if (index.isValid() && index != view_->currentIndex().siblingAtColumn(0)) view_->reveal(index);
    }
    if (stands_at(*current))
        show_documentation(view_->currentIndex());
    else
        say_that_it_is_missing(*current);
}

/// A thing that is gone, or one of the map that another message has brought.
void MessageTreePanel::say_that_it_is_missing(const Selected& selected)
{
    auto html =
        tr("<p>This message has no <b>%1</b>.</p>").arg(visible_text(selected.path, shown_characters).toHtmlEscaped());
    if (const auto* const moment = model_.moment(); moment != nullptr && moment->picture)
        for (const auto& note : moment->picture->notes)
            if (note.source == selected.source && note.kind == PictureNote::Kind::information)
                html += QStringLiteral("<p>%1</p>").arg(visible_text(note.text, shown_characters).toHtmlEscaped());
    documentation_->setHtml(html);
}

bool MessageTreePanel::stands_at(const Selected& selected) const
{
    const auto current = view_->currentIndex();
    if (!current.isValid()) return false;
    const auto& node = model_.node(current);
    return node.source() == selected.source && node.path() == selected.path;
}

void MessageTreePanel::give_selection(const QModelIndex& current)
{
    if (taking_) return;
    show_documentation(current);
    if (!current.isValid()) return;
    const auto& node = model_.node(current);
    auto path = node.path();
    search_->search_near(node.source(), path);
    const auto* const moment = model_.moment();
    const auto thing = moment->picture ? thing_at(*moment->picture, node.source(), path) : std::nullopt;
    const QScopedValueRollback taking(taking_, true);
    selection_.select({thing, node.source(), std::move(path)});
}

void MessageTreePanel::show_documentation(const QModelIndex& current)
{
    if (!current.isValid()) return documentation_->clear();
    const auto& node = model_.node(current);
    const bool is_message = node.kind == MessageNode::Kind::channel || node.kind == MessageNode::Kind::element;
    if (is_message && node.table != nullptr)
        documentation_->setHtml(documentation_html(*node.table));
    else
        documentation_->setHtml(documentation_html(node.place(), node.holder()));
}

}  // namespace ositrace::gui
