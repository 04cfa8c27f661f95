// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QSplitter>

#include "gui/plot/plot_model.hpp"
#include "gui/plot/plot_view.hpp"

namespace ositrace::gui {

/// The plots of a model side by side. They have the same visible times and the same cursor; a click makes one the
/// current one.
class PlotSides : public QSplitter {
    Q_OBJECT
public:
    /// `model` must outlive it.
    explicit PlotSides(PlotModel& model, QWidget* parent = nullptr);

    [[nodiscard]] PlotView& current() noexcept { return *views_[model_.current_plot()]; }
    [[nodiscard]] PlotView& view(std::size_t plot) noexcept { return *views_[plot]; }
    /// The times that all of them show.
    [[nodiscard]] const TimeSection& visible() const noexcept { return views_.front()->visible(); }
    /// As of a PlotView.
    void set_hint(const QString& hint);
    void set_extent(const std::optional<TimeSection>& extent);
    void set_time(Nanoseconds time);
    void set_section(const std::optional<TimeSection>& section);
    /// Draws this line of the model broader; empty: none.
    void set_chosen(std::optional<std::size_t> line);
    void show_all();
    void show_lines();
    [[nodiscard]] bool is_complete() const noexcept;

signals:
    void seek_requested(std::chrono::nanoseconds time);
    void section_chosen(const std::optional<ositrace::TimeSection>& section);
    void visible_changed();

private:
    void follow_plots();
    void add_view();
    void add_to_menu(QMenu& menu, PlotView* view);

    PlotModel& model_;
    std::vector<PlotView*> views_;
    QString hint_;
    std::optional<TimeSection> extent_;
    std::optional<TimeSection> section_;
    Nanoseconds time_{};
    std::optional<std::size_t> chosen_;
};

}  // namespace ositrace::gui
