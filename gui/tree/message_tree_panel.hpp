// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <QWidget>

#include "gui/selection/selection.hpp"
#include "gui/session/moment.hpp"
#include "gui/tree/message_tree_model.hpp"

class QTextBrowser;

namespace ositrace::gui {

class MessageTreeView;
class SearchBar;

/// The messages of a moment: search, the tree, and what OSI says of the field that is selected.
class MessageTreePanel : public QWidget {
    Q_OBJECT
public:
    /// `selection` must outlive it; whoever shows a moment has called Selection::follow() with its picture.
    explicit MessageTreePanel(Selection& selection, QWidget* parent = nullptr);
    /// null: nothing is open.
    void show_moment(const std::shared_ptr<const Moment>& moment);
    /// Hide what is not set.
    void show_unset(bool shows);
    /// For Ctrl+F.
    void focus_search();

    [[nodiscard]] MessageTreeView& view() noexcept { return *view_; }
    [[nodiscard]] MessageTreeModel& model() noexcept { return model_; }

private:
    void build();
    void open_first_channel();
    void take_selection();
    void say_that_it_is_missing(const Selected& selected);
    [[nodiscard]] bool stands_at(const Selected& selected) const;
    void give_selection(const QModelIndex& current);
    void show_documentation(const QModelIndex& current);

    Selection& selection_;
    MessageTreeModel model_;
    bool taking_ = false;
    SearchBar* search_ = nullptr;
    MessageTreeView* view_ = nullptr;
    QTextBrowser* documentation_ = nullptr;
};

}  // namespace ositrace::gui
