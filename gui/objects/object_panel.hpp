// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <set>

#include <QWidget>

#include "gui/objects/object_table_model.hpp"
#include "gui/selection/dragged_fields.hpp"
#include "gui/selection/selection.hpp"
#include "gui/widgets/dock_panel.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace ositrace::gui {

class Inspector;

/// The things of a snapshot as a table: a click on a header sorts, its context menu selects columns; words and category
/// filter. Below it the selected one at a glance.
class ObjectPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// `selection` must outlive it; call Selection::follow() with the picture before show_snapshot().
    explicit ObjectPanel(Selection& selection, QWidget* parent = nullptr);
    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    /// The column of channels is visible if there are several, that of the distance to the host if there is one.
    void show_times(const std::shared_ptr<const OpenChannels>& channels) override;
    void show_time(Nanoseconds time) override;
    /// Its columns: those that are hidden, and those of fields.
    void save(QJsonObject& layout) const override;
    void restore(const QJsonObject& layout) override;

    [[nodiscard]] QTableView& view() noexcept { return *view_; }
    [[nodiscard]] Inspector& inspector() noexcept { return *inspector_; }
    [[nodiscard]] ObjectTableModel& model() noexcept { return model_; }
    /// Fields of the current row to plot: that of the current column first, then the usual ones.
    [[nodiscard]] DraggedFields plotted() const;

signals:
    /// A double click: the camera moves to the thing.
    void focus_requested(const ositrace::ThingKey& key);
    /// The states of a field of a message of this channel over time, of all elements of its lists.
    void states_requested(std::uint32_t source, const std::string& path);
    /// See CurveExpression.
    void plot_requested(std::uint32_t source, const std::string& expression);
    void seek_requested(ositrace::Nanoseconds time);
    void section_chosen(const std::optional<ositrace::TimeSection>& section);

private:
    void build();
    void list_categories();
    void choose_category(int place);
    void show_selection();
    void select_row(const QModelIndex& current);
    void change_rows(const std::function<void()>& change);
    void show_column_menu(QPoint at);
    void show_row_menu(QPoint at);
    void add_field();
    void set_fields(const std::vector<std::string>& paths);
    void hide_columns();
    [[nodiscard]] bool is_empty(int column) const;

    Selection& selection_;
    std::shared_ptr<const Snapshot> snapshot_;
    ObjectTableModel model_;
    ObjectFilter filter_;
    std::set<Category> listed_;
    bool category_chosen_ = false;  ///< by the user
    bool updating_ = false;
    QLineEdit* words_ = nullptr;
    QComboBox* category_ = nullptr;
    QLabel* count_ = nullptr;
    QTableView* view_ = nullptr;
    Inspector* inspector_ = nullptr;
    bool has_channels_ = false;  ///< several: their column is useful
    bool has_host_ = false;      ///< there was one since the first channel was opened
    std::set<int> hidden_;       ///< columns that the user has hidden
};

}  // namespace ositrace::gui
