// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <set>

#include <QWidget>

#include "gui/objects/object_table_model.hpp"
#include "gui/selection/selection.hpp"
#include "gui/session/open_channel.hpp"
#include "gui/session/snapshot.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace ositrace::gui {

/// The things of a snapshot as a table: a click on a header sorts; words and category filter.
class ObjectPanel : public QWidget {
    Q_OBJECT
public:
    /// `selection` must outlive it; call Selection::follow() with the picture before show_snapshot().
    explicit ObjectPanel(Selection& selection, QWidget* parent = nullptr);
    /// null: nothing is open.
    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot);
    /// The column of channels is visible if there are several.
    void show_channels(const OpenChannels& channels);

    [[nodiscard]] QTableView& view() noexcept { return *view_; }
    [[nodiscard]] ObjectTableModel& model() noexcept { return model_; }

signals:
    /// A double click: the camera moves to the thing.
    void focus_requested(const ositrace::ThingKey& key);

private:
    void build();
    void list_categories();
    void choose_category(int place);
    void show_selection();
    void select_row(const QModelIndex& current);
    void change_rows(const std::function<void()>& change);

    Selection& selection_;
    ObjectTableModel model_;
    ObjectFilter filter_;
    std::set<Category> listed_;
    bool category_chosen_ = false;  ///< by the user
    bool updating_ = false;
    QLineEdit* words_ = nullptr;
    QComboBox* category_ = nullptr;
    QLabel* count_ = nullptr;
    QTableView* view_ = nullptr;
};

}  // namespace ositrace::gui
