// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QMetaType>
#include <QStringList>
#include <QWidget>

#include "gui/objects/inspection.hpp"
#include "gui/objects/object_table_model.hpp"
#include "gui/selection/selection.hpp"

class QComboBox;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace ositrace::gui {

/// The selected object at a glance, and how it is to the host or another object.
class Inspector : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive it.
    Inspector(Selection& selection, const ObjectTableModel& model, QWidget* parent = nullptr);
    /// The model or the selection has changed.
    void update_rows();
    /// Display names of the channels, in the session's order.
    void name_channels(QStringList names) { channels_ = std::move(names); }
    /// The object that the selected one is compared with; empty: the host.
    [[nodiscard]] const std::optional<ThingKey>& other() const noexcept { return other_; }
    void compare_with(const std::optional<ThingKey>& other);

signals:
    void other_changed();

private:
    void list_others();
    void show_rows(const std::vector<InspectedRow>& rows);
    void select_field(const QTreeWidgetItem& item);
    [[nodiscard]] const Thing* selected_thing() const;
    [[nodiscard]] const Thing* other_thing() const;

    Selection& selection_;
    const ObjectTableModel& model_;
    QStringList channels_;
    std::optional<ThingKey> other_;
    QLabel* title_ = nullptr;
    QComboBox* others_ = nullptr;
    QTreeWidget* rows_ = nullptr;
};

}  // namespace ositrace::gui

Q_DECLARE_METATYPE(ositrace::ThingKey)
