// SPDX-License-Identifier: MPL-2.0
// The arrangement of the window: stored, saved to a file, and restored.
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QSettings>

#include "gui/compare/comparison.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/widgets/dock_panel.hpp"
#include "gui/window/theme.hpp"
#include "gui/window/viewer_window.hpp"

namespace ositrace::gui {

namespace {

const auto layout_names = QStringLiteral("*.osiview.json");

// Settings of the last session.
const auto left_geometry = QStringLiteral("window/geometry");
const auto left_panels = QStringLiteral("window/panels");
const auto left_theme = QStringLiteral("window/theme");
const auto light_theme = QStringLiteral("light");

}  // namespace

namespace {

ViewLayout layout_of_view(const SceneView& view)
{
    const auto& options = view.options();
    ViewLayout layout{.camera = view.camera_controller().placed_camera(),
                      .labels = view.labels(),
                      .legend = view.legend(),
                      .grid = options.grid,
                      .axes = options.axes,
                      .directions = options.directions,
                      .hidden = {},
                      .hidden_lane_types = {},
                      .cloud_field = options.cloud_field,
                      .point_size = static_cast<double>(options.point_size),
                      .follows = view.follows(),
                      .turning = view.camera_controller().turning(),
                      .hidden_channels = view.hidden_channels()};
    for (std::size_t i = 0; i != category_count; ++i)
        if (options.hidden.test(i)) layout.hidden.push_back(static_cast<int>(i));
    for (const auto each : options.hidden_lane_types) layout.hidden_lane_types += lane_type_name(each);
    return layout;
}

void apply_to(SceneView& view, const ViewLayout& layout)
{
    auto options = view.options();
    apply_layout(layout, options);
    view.set_options(options);
    view.set_labels(layout.labels);
    view.set_legend(layout.legend);
    view.set_hidden_channels(layout.hidden_channels);
    view.set_turning(layout.turning);
    if (!layout.follows)
        view.follow_nothing();
    else if (!view.follows())
        view.follow({});
    if (layout.camera) view.restore_camera(*layout.camera);
}

}  // namespace

Layout ViewerWindow::layout_now() const
{
    Layout layout;
    static_cast<ViewLayout&>(layout) = layout_of_view(views_->first());
    layout.geometry = saveGeometry();
    layout.state = put_away_.value_or(saveState());
    layout.theme = theme_;
    if (const auto* const second = views_->second()) {
        layout.second = layout_of_view(*second);
        layout.first_share = views_->first_share();
    }
    layout.arrows_by_message = arrows_by_message_;
    layout.interpolates = viewer_->interpolates();
    for (const auto* const panel : panels_) panel->save(layout.shown);
    layout.trail = std::chrono::duration<double>(viewer_->trail()).count();
    return layout;
}

void ViewerWindow::apply_views(const Layout& layout)
{
    apply_to(views_->first(), layout);
    views_->set_split(layout.second.has_value());
    if (!layout.second) return;
    apply_to(*views_->second(), *layout.second);
    views_->set_first_share(layout.first_share);
}

namespace {

bool is_detected(Category category) noexcept
{
    return (category >= Category::detected_moving_object && category <= Category::detected_road_marking) ||
           (category >= Category::lidar_detection && category <= Category::camera_detection) ||
           category == Category::logical_detection;
}

/// What the view of a side hides: the channel of the other side; and, if one side is a ground truth and the other one
/// are detections, what was detected, or the true objects.
void hide_other_side(ViewLayout& view, const CompareChoice& choice, std::size_t side, const QStringList& channels)
{
    const auto &mine = choice.sides.at(side), &other = choice.sides.at(1 - side);
    if (mine.source != other.source) view.hidden_channels += channels.value(other.source);
    if (mine.set == other.set) return;
    constexpr std::array true_objects{Category::moving_object, Category::stationary_object, Category::traffic_sign,
                                      Category::traffic_light};
    for (std::size_t i = 0; i != category_count; ++i) {
        const auto category = static_cast<Category>(i);
        const bool is_others = mine.set == ObjectSet::ground_truth
                                   ? is_detected(category)
                                   : std::ranges::find(true_objects, category) != true_objects.end();
        if (is_others) view.hidden.push_back(static_cast<int>(i));
    }
}

}  // namespace

/// A in the first view, B in the second one. null: the views are as they were before.
void ViewerWindow::show_side_by_side(const std::shared_ptr<const CompareChoice>& choice)
{
    views_->set_linked(false);
    if (before_side_by_side_) apply_views(*std::exchange(before_side_by_side_, std::nullopt));
    if (choice) {
        before_side_by_side_ = layout_now();
        auto sides = *before_side_by_side_;
        auto first = static_cast<const ViewLayout&>(sides), second = first;
        const auto channels = names_of(*viewer_->session().channels());
        hide_other_side(first, *choice, 0, channels);
        hide_other_side(second, *choice, 1, channels);
        static_cast<ViewLayout&>(sides) = first;
        sides.second = second;
        sides.first_share = 0.5;
        apply_views(sides);
        views_->set_linked(true);
    }
    show_views();
}

void ViewerWindow::apply(const Layout& layout)
{
    if (!layout.geometry.isEmpty()) restoreGeometry(layout.geometry);
    if (!layout.state.isEmpty()) is_arranged_ = restore(layout.state);
    if (layout.theme) set_theme(*layout.theme);
    apply_views(layout);
    set_trail(layout.trail_time());
    arrows_by_message_ = layout.arrows_by_message;
    set_interpolates(layout.interpolates);
    for (auto* const panel : panels_) panel->restore(layout.shown);
    commands_->set_checked(Command::arrows_by_message, layout.arrows_by_message);
    show_views();
}

void ViewerWindow::set_theme(Theme theme)
{
    theme_ = theme;
    apply_theme(*qApp, theme);
    views_->set_theme(theme);
    commands_->set_checked(Command::theme, theme == Theme::light);
}

void ViewerWindow::load_layout()
{
    const auto file = QFileDialog::getOpenFileName(this, tr("Open a layout"), {}, tr("Layouts (%1)").arg(layout_names));
    if (file.isEmpty()) return;
    QString why;
    if (const auto layout = read_layout(file, why))
        apply(*layout);
    else
        show_message(why);
}

void ViewerWindow::save_layout()
{
    const auto file = QFileDialog::getSaveFileName(this, tr("Save the layout"), QStringLiteral("my.osiview.json"),
                                                   tr("Layouts (%1)").arg(layout_names));
    if (file.isEmpty()) return;
    if (const auto why = write_layout(file, layout_now()); !why.isEmpty()) show_failure(tr("Save the layout"), why);
}

/// Hides or shows all panels of a side, and restores the front tab.
void ViewerWindow::toggle_panels(Qt::DockWidgetArea area)
{
    QList<QDockWidget*> docks;
    bool any = false;
    for (auto* const each : findChildren<QDockWidget*>()) {
        if (dockWidgetArea(each) != area || each->isFloating()) continue;
        docks += each;
        any = any || !each->isHidden();
    }
    if (any) in_front_[area].clear();
    for (auto* const each : docks)
        if (any && each->isVisible() && !each->visibleRegion().isEmpty()) in_front_[area] += each;
    for (auto* const each : docks) each->setVisible(!any);
    if (!any)
        for (auto* const each : in_front_[area]) each->raise();
}

void ViewerWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (!put_away_ && !std::exchange(is_arranged_, true)) share_width();
}

/// Panels without a trace are empty: they are put away until there is one.
void ViewerWindow::show_panels(bool shows)
{
    if (shows == !put_away_) return;
    if (shows) {
        restoreState(*std::exchange(put_away_, std::nullopt));
        if (isVisible() && !std::exchange(is_arranged_, true)) share_width();
        return;
    }
    put_away_ = saveState();
    for (auto* const each : findChildren<QDockWidget*>()) each->hide();
}

/// False: `state` is none.
bool ViewerWindow::restore(const QByteArray& state)
{
    const bool is_put_away = put_away_.has_value();
    show_panels(true);
    const bool restored = restoreState(state);
    show_panels(!is_put_away);
    return restored;
}

void ViewerWindow::restore_arrangement()
{
    const QSettings settings;
    restoreGeometry(settings.value(left_geometry).toByteArray());
    is_arranged_ = restore(settings.value(left_panels).toByteArray());
    keeps_bookmarks_ = true;
}

Theme ViewerWindow::last_theme()
{
    return QSettings().value(left_theme).toString() == light_theme ? Theme::light : Theme::dark;
}

void ViewerWindow::closeEvent(QCloseEvent* event)
{
    keep_picture();
    QSettings settings;
    settings.setValue(left_geometry, saveGeometry());
    settings.setValue(left_panels, put_away_.value_or(saveState()));
    settings.setValue(left_theme, theme_ == Theme::light ? light_theme : QStringLiteral("dark"));
    QMainWindow::closeEvent(event);
}

}  // namespace ositrace::gui
