// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "gui/compare/boundary_history.hpp"
#include "gui/compare/comparison.hpp"
#include "gui/selection/selection.hpp"
#include "gui/widgets/dock_panel.hpp"

class QLabel;
class QTabWidget;

namespace ositrace::gui {

class BoundaryChart;
class CompareBar;
class PlotView;
class ResultView;

/// Compares two channels: the objects at the time on the screen, the errors over time, and their summary. Nothing is
/// compared while it is hidden.
class ComparePanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// `selection` must outlive it; call Selection::follow() with the picture before show_snapshot().
    explicit ComparePanel(Selection& selection, QWidget* parent = nullptr);
    ~ComparePanel() override;

    void show_channels(const std::shared_ptr<const OpenChannels>& channels);
    void show_times(const std::shared_ptr<const OpenChannels>& channels) override;
    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    void show_time(Nanoseconds time) override;
    /// The comparison of the traces has finished, or nothing is compared.
    [[nodiscard]] bool is_settled() const noexcept override { return !choice_ || (run_ && !run_->is_running()); }

    /// The objects, or the fields that differ, at the time on the screen.
    [[nodiscard]] ResultView& at_time() noexcept { return *at_time_; }
    /// The objects, or the messages that differ, over time.
    [[nodiscard]] ResultView& over_time() noexcept { return *over_time_; }
    [[nodiscard]] PlotView& chart() noexcept { return *chart_; }
    [[nodiscard]] BoundaryChart& boundary_chart() noexcept { return *boundaries_; }
    /// Null while nothing is compared.
    [[nodiscard]] const ComparisonRun* run() const noexcept { return run_.get(); }
    [[nodiscard]] QSize sizeHint() const override { return {900, 330}; }
    [[nodiscard]] bool is_exporting() const noexcept { return exporting_; }

signals:
    /// What snapshots have to compare; null: nothing.
    void compared(const std::shared_ptr<const ositrace::gui::CompareChoice>& choice);
    /// A is to be shown in one view and B in another one; null: not any more.
    void side_by_side_changed(const std::shared_ptr<const ositrace::gui::CompareChoice>& choice);
    /// The times of a channel are to be shifted.
    void offset_requested(std::uint32_t source, ositrace::Nanoseconds offset);
    /// On the session's time axis.
    void seek_requested(ositrace::Nanoseconds time);
    /// Shown now: a thing that should be in view.
    void focus_requested(const ositrace::ThingKey& key);
    /// Likewise, a place and how many metres around it.
    void place_requested(const ositrace::GlobalPoint& place, double metres);
    void section_chosen(const std::optional<ositrace::TimeSection>& section);
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// An object of A with an id.
    struct ComparedKey {
        ObjectKind kind = ObjectKind::moving;
        std::uint64_t id = 0;
        friend bool operator==(const ComparedKey&, const ComparedKey&) = default;
    };
    void build();
    void choose();
    void show_side_by_side();
    void start_run();
    void show_shown();
    void show_run();
    void show_curves();
    void show_charts();
    void show_selection();
    void show_selected_boundary();
    void choose_shown(int row);
    void look_at_shown(int row);
    void choose_over_time(int row);
    void follow_link(const QString& link);
    [[nodiscard]] QString state_text() const;
    [[nodiscard]] QString summary_text() const;
    [[nodiscard]] static QString summary_of(const TraceComparison& comparison, ObjectError kind);
    [[nodiscard]] static QString summary_of(const EqualityOfTraces& comparison);
    [[nodiscard]] static QString summary_of(const BoundaryTraceComparison& comparison);
    [[nodiscard]] QString nothing_text(const ComparedTraces& result) const;
    [[nodiscard]] bool is_exportable() const;
    [[nodiscard]] const ShownComparison* comparison() const noexcept;
    [[nodiscard]] std::optional<ComparedKey> selected_object_of_a() const;
    void select_object(const ObjectHistory& object, std::uint32_t moment);
    [[nodiscard]] const ComparedBoundary* shown_boundary(int row) const;
    void select_boundary(const ComparedBoundary& boundary);
    void look_at(const ComparedBoundary& boundary);
    void go_to(const BoundaryId& id, std::uint32_t moment);
    void when_shown(Nanoseconds time, std::function<void()> show);
    void show_wanted();
    template <class Moment>
    void go_to_next(const std::vector<Moment>& moments, const std::function<bool(const Moment&)>& is_wanted,
                    std::function<void()> show);
    void go_to_next_unpaired(std::size_t side);
    void go_to_next_alone();
    void export_csv();

    Selection& selection_;
    std::shared_ptr<const OpenChannels> channels_ = std::make_shared<const OpenChannels>();
    std::shared_ptr<const Snapshot> snapshot_;
    std::shared_ptr<const CompareChoice> choice_;        ///< null: hidden, or nothing to compare
    std::shared_ptr<const CompareChoice> side_by_side_;  ///< null: not shown so
    std::unique_ptr<ComparisonRun> run_;
    QTimer run_timer_;                     ///< a short time after a change, so that changes in a row start one run
    std::optional<ComparedKey> curve_of_;  ///< the object of A whose errors the chart shows; empty: all
    std::optional<BoundaryId> boundary_;   ///< likewise, the lane boundary of B
    struct Wanted {
        Nanoseconds time{};
        std::function<void()> show;
    };
    std::optional<Wanted> wanted_;  ///< what comes into view when its time is shown
    Nanoseconds time_{};
    bool exporting_ = false;
    std::jthread export_thread_;
    CompareBar* bar_ = nullptr;
    QLabel* state_ = nullptr;
    QLabel* summary_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    ResultView* at_time_ = nullptr;
    ResultView* over_time_ = nullptr;
    PlotView* chart_ = nullptr;
    BoundaryChart* boundaries_ = nullptr;  ///< instead of the chart, at this time
};

}  // namespace ositrace::gui
