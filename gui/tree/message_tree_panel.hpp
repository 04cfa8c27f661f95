// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <QSet>
#include <QTreeView>
#include <QWidget>

#include "gui/selection/dragged_fields.hpp"
#include "gui/selection/selection.hpp"
#include "gui/tree/message_tree_model.hpp"
#include "gui/widgets/dock_panel.hpp"

class QCheckBox;
class QTextBrowser;

namespace ositrace::gui {

/// The tree of messages. Rows that the user has opened are opened again when they return: an object that was absent for
/// a while, a channel.
class MessageTreeView : public QTreeView {
    Q_OBJECT
public:
    /// `model` must outlive it.
    explicit MessageTreeView(MessageTreeModel& model, QWidget* parent = nullptr);

    void copy_value();
    void copy_path();
    /// Opens the rows above it, selects it and scrolls to it.
    void reveal(const QModelIndex& index);
    /// Is the current row a value with states: an enum, a bool, an integer or a text?
    [[nodiscard]] bool has_states() const;

    /// The current row as a field to plot; empty if it has no numbers.
    [[nodiscard]] DraggedFields plotted() const;

signals:
    void states_requested(std::uint32_t source, const std::string& path);
    void plot_requested(std::uint32_t source, const std::string& expression);

protected:
    void startDrag(Qt::DropActions actions) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void rowsInserted(const QModelIndex& parent, int first, int last) override;

private:
    [[nodiscard]] QString key_of(const QModelIndex& index) const;
    void reopen(const QModelIndex& parent, int first, int last);

    MessageTreeModel& model_;
    QSet<QString> opened_;
};

class MessageTreeView;
class SearchBar;

/// The messages of a snapshot: search, tree, and the documentation of the selected field.
class MessageTreePanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// `selection` must outlive it; call Selection::follow() with the picture before show_snapshot().
    explicit MessageTreePanel(Selection& selection, QWidget* parent = nullptr);
    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    /// Shows or hides fields that are not set.
    void show_unset(bool shows);
    /// Moves the keyboard focus to the search.
    void focus_search();

    [[nodiscard]] MessageTreeView& view() noexcept { return *view_; }
    [[nodiscard]] MessageTreeModel& model() noexcept { return model_; }

signals:
    void states_requested(std::uint32_t source, const std::string& path);
    /// See CurveExpression.
    void plot_requested(std::uint32_t source, const std::string& expression);

private:
    void build();
    void open_first_channel();
    void show_selection();
    void show_as_missing(const Selected& selected);
    [[nodiscard]] bool is_current(const Selected& selected) const;
    void select_row(const QModelIndex& current);
    void show_documentation(const QModelIndex& current);
    void show_text(const QString& html);

    Selection& selection_;
    MessageTreeModel model_;
    bool updating_ = false;
    SearchBar* search_ = nullptr;
    QCheckBox* unset_ = nullptr;
    MessageTreeView* view_ = nullptr;
    QTextBrowser* documentation_ = nullptr;
};

}  // namespace ositrace::gui
