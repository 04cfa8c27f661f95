// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <set>

#include <QWidget>

#include "gui/objects/object_filter.hpp"
#include "gui/objects/object_table_model.hpp"
#include "gui/selection/selection.hpp"
#include "gui/session/moment.hpp"
#include "gui/session/open_channel.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace ositrace::gui {

/// The things of a moment as a table: sort by a click on a header, filter by words and by category.
class ObjectPanel : public QWidget {
    Q_OBJECT
public:
    /// `selection` must outlive it; whoever shows a moment has called Selection::follow() with its picture.
    explicit ObjectPanel(Selection& selection, QWidget* parent = nullptr);
    /// null: nothing is open.
    void show_moment(const std::shared_ptr<const Moment>& moment);
    /// Their column is shown where there are several.
    void show_channels(const OpenChannels& channels);

    [[nodiscard]] QTableView& view() noexcept { return *view_; }
    [[nodiscard]] ObjectTableModel& model() noexcept { return model_; }

signals:
    /// A double click: the scene is to look at it.
    void focus_requested(const ositrace::ThingKey& key);

private:
    void build();
    void list_categories();
    void choose_category(int place);
    void take_selection();
    void give_selection(const QModelIndex& current);
    void change_rows(const std::function<void()>& change);

    Selection& selection_;
    ObjectTableModel model_;
    ObjectFilter filter_;
    std::set<Category> listed_;
    bool category_chosen_ = false;  ///< by a person
    bool taking_ = false;
    QLineEdit* words_ = nullptr;
    QComboBox* category_ = nullptr;
    QLabel* count_ = nullptr;
    QTableView* view_ = nullptr;
};

}  // namespace ositrace::gui
