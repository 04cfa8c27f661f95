// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_sides.hpp"

#include <algorithm>
#include <utility>

#include <QMenu>

namespace ositrace::gui {

PlotSides::PlotSides(PlotModel& model, QWidget* parent) : QSplitter(parent), model_(model)
{
    setObjectName(QStringLiteral("plot_sides"));
    setChildrenCollapsible(false);
    follow_plots();
    connect(&model, &PlotModel::plots_changed, this, &PlotSides::follow_plots);
}

void PlotSides::add_view()
{
    auto* const view = new PlotView;
    view->set_hint(hint_);
    view->set_extent(extent_);
    view->set_section(section_);
    view->set_time(time_);
    if (!views_.empty()) view->follow(visible());
    connect(view, &PlotView::seek_requested, this, &PlotSides::seek_requested);
    connect(view, &PlotView::section_chosen, this, &PlotSides::section_chosen);
    connect(view, &PlotView::visible_changed, this, [this, view](const TimeSection& section) {
        for (auto* const each : views_)
            if (each != view) each->follow(section);
        emit visible_changed();
    });
    connect(view, &PlotView::pressed, this, [this, view] {
        model_.set_current_plot(static_cast<std::size_t>(std::ranges::find(views_, view) - views_.begin()));
    });
    connect(view, &PlotView::menu_opened, this, [this, view](QMenu* menu) { add_to_menu(*menu, view); });
    addWidget(view);
    views_.push_back(view);
}

/// A removed one is deleted later: its menu or mouse event may be what removes it.
void PlotSides::follow_plots()
{
    while (views_.size() > model_.plots()) {
        auto* const gone = views_.back();
        views_.pop_back();
        gone->hide();
        gone->disconnect(this);
        gone->deleteLater();
    }
    while (views_.size() < model_.plots()) add_view();
    for (std::size_t i = 0; i != views_.size(); ++i)
        views_[i]->set_current(views_.size() != 1 && i == model_.current_plot());
    show_lines();
}

void PlotSides::add_to_menu(QMenu& menu, PlotView* view)
{
    const auto plot = static_cast<std::size_t>(std::ranges::find(views_, view) - views_.begin());
    model_.set_current_plot(plot);
    menu.addAction(tr("Plot over the time"), this, [this] { model_.set_x_name({}); })
        ->setEnabled(!model_.x_name().empty());
    menu.addSeparator();
    menu.addAction(tr("Add a plot beside it"), this, [this] { model_.add_plot(); })
        ->setEnabled(model_.plots() != PlotModel::most_plots);
    menu.addAction(tr("Remove this plot"), this, [this, plot] { model_.remove_plot(plot); })
        ->setEnabled(model_.plots() != 1);
}

void PlotSides::show_lines()
{
    std::vector<std::vector<PlotLine>> lines(views_.size());
    std::vector<std::optional<std::size_t>> chosen(views_.size()), x_lines(views_.size());
    const auto& all = model_.lines();
    for (std::size_t plot = 0; plot != views_.size(); ++plot) {
        const auto x = model_.x_line(plot);
        for (std::size_t i = 0; i != all.size(); ++i) {
            if (all[i].plot != plot) continue;
            if (chosen_ == i) chosen[plot] = lines[plot].size();
            if (x == i) x_lines[plot] = lines[plot].size();
            lines[plot].push_back(all[i]);
        }
        views_[plot]->set_lines(std::move(lines[plot]), x_lines[plot]);
        views_[plot]->set_chosen(chosen[plot]);
    }
}

void PlotSides::set_hint(const QString& hint)
{
    hint_ = hint;
    for (auto* const each : views_) each->set_hint(hint);
}

void PlotSides::set_extent(const std::optional<TimeSection>& extent)
{
    extent_ = extent;
    for (auto* const each : views_) each->set_extent(extent);
}

void PlotSides::set_time(Nanoseconds time)
{
    time_ = time;
    for (auto* const each : views_) each->set_time(time);
}

void PlotSides::set_section(const std::optional<TimeSection>& section)
{
    section_ = section;
    for (auto* const each : views_) each->set_section(section);
}

void PlotSides::set_chosen(std::optional<std::size_t> line)
{
    if (std::exchange(chosen_, line) == line) return;
    const auto& all = model_.lines();
    for (std::size_t plot = 0; plot != views_.size(); ++plot) {
        const bool is_here = line && *line < all.size() && all[*line].plot == plot;
        const auto before = is_here ? std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(*line),
                                                    [&](const PlotLine& each) { return each.plot == plot; })
                                    : 0;
        views_[plot]->set_chosen(is_here ? std::optional(static_cast<std::size_t>(before)) : std::nullopt);
    }
}

void PlotSides::show_all()
{
    for (auto* const each : views_) each->show_all();
}

bool PlotSides::is_complete() const noexcept
{
    return std::ranges::all_of(views_, [](const PlotView* each) { return each->is_complete(); });
}

}  // namespace ositrace::gui
