// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QMetaType>
#include <QWidget>

#include <ositrace/picture.hpp>

#include "gui/objects/inspection.hpp"
#include "gui/objects/object_table_model.hpp"
#include "gui/plot/plot_reader.hpp"
#include "gui/plot/plot_view.hpp"
#include "gui/selection/selection.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace ositrace::gui {

/// Gap and time to collision of two objects by their ids, as CurveExpressions.
using PairExpressions = std::array<std::string, 3>;
/// Empty if the objects are of different channels, or have no ids.
[[nodiscard]] std::optional<PairExpressions> pair_expressions(const Thing& thing, const Thing& other);
/// What is read of them; each curve names its least value. Empty: no message contains both objects.
[[nodiscard]] std::vector<PlotLine> pair_lines(const PlotUpdate& update, Nanoseconds shift);

/// The selected object at a glance, and how it is to the host or another object.
class Inspector : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive it.
    Inspector(Selection& selection, const ObjectTableModel& model, QWidget* parent = nullptr);
    /// The model or the selection has changed.
    void update_rows();
    [[nodiscard]] bool show_point(const Selected& selected);
    /// In the session's order.
    void show_channels(const OpenChannels& channels);
    /// Of the screen: the cursor of the chart.
    void show_time(Nanoseconds time) { chart_->set_time(time); }
    /// The object that the selected one is compared with; empty: the host.
    [[nodiscard]] const std::optional<ThingKey>& other() const noexcept { return other_; }
    void compare_with(const std::optional<ThingKey>& other);

    [[nodiscard]] PlotView& chart() noexcept { return *chart_; }

signals:
    void other_changed();
    /// A click on the chart.
    void seek_requested(ositrace::Nanoseconds time);
    void section_chosen(const std::optional<ositrace::TimeSection>& section);

private:
    void update_chart();
    void end_reading();
    void show_pair(std::vector<PlotLine> lines, const QString& hint);
    void read(const Thing& thing, const Thing& other);
    void list_others();
    void show_rows(const std::vector<InspectedRow>& rows);
    void select_field(const QTreeWidgetItem& item);
    [[nodiscard]] const Thing* selected_thing() const;
    [[nodiscard]] const Thing* other_thing() const;

    Selection& selection_;
    const ObjectTableModel& model_;
    OpenChannels channels_;
    std::optional<ThingKey> other_;
    QLabel* title_ = nullptr;
    QComboBox* others_ = nullptr;
    QTreeWidget* rows_ = nullptr;
    QCheckBox* over_time_ = nullptr;
    PlotView* chart_ = nullptr;
    PlotReader* reader_ = nullptr;  ///< of what the chart shows
    std::optional<PairExpressions> read_;
    std::shared_ptr<const MessageTimes> read_times_;  ///< of the channel when reading began
};

}  // namespace ositrace::gui
