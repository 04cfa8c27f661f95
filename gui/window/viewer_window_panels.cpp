// SPDX-License-Identifier: MPL-2.0
// The arrangement of the panels and their connections.
#include <algorithm>

#include <QAction>
#include <QDockWidget>
#include <QLayout>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include "gui/channels/channel_panel.hpp"
#include "gui/compare/compare_panel.hpp"
#include "gui/find/find_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/playback/transport_bar.hpp"
#include "gui/plot/plot_panel.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/states/states_panel.hpp"
#include "gui/statistics/statistics_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/welcome_page.hpp"

namespace ositrace::gui {

namespace {

constexpr QSize least_panel(80, 40);

/// In less room than it needs, a panel is scrolled: it must not push the window off the screen.
QScrollArea* scrolled(QWidget* panel)
{
    auto* const area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setMinimumSize(least_panel);
    area->setWidget(panel);
    return area;
}

}  // namespace

void ViewerWindow::build_centre()
{
    centre_ = new QStackedWidget(this);
    welcome_ = new WelcomePage(centre_);
    views_ = new SceneViews(centre_);
    scene_ = &views_->active();
    centre_->addWidget(welcome_);
    centre_->addWidget(views_);
    setCentralWidget(centre_);
}

void ViewerWindow::build_docks()
{
    for (const auto corner : {Qt::BottomLeftCorner, Qt::BottomRightCorner}) setCorner(corner, Qt::BottomDockWidgetArea);
    channels_ = new ChannelPanel(viewer_->session());
    tree_ = new MessageTreePanel(viewer_->selection());
    objects_ = new ObjectPanel(viewer_->selection());
    auto* const time = new QWidget;
    time->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // the scene gets what the lanes leave
    auto* const column = new QVBoxLayout(time);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->setSizeConstraint(QLayout::SetMinAndMaxSize);  // more height is of no use to them
    transport_ = new TransportBar(viewer_->playback());
    timeline_ = new TimelineWidget;
    column->addWidget(transport_);
    column->addWidget(timeline_);

    channels_->setMinimumSize(least_panel);
    auto* const channels = dock("channels_dock", tr("Channels"), channels_, Qt::LeftDockWidgetArea);
    auto* const tree = dock("message_dock", tr("Message"), scrolled(tree_), Qt::LeftDockWidgetArea);
    auto* const objects = dock("objects_dock", tr("Objects"), scrolled(objects_), Qt::RightDockWidgetArea);
    statistics_ = new StatisticsPanel(viewer_->session(), viewer_->selection());
    statistics_->hold();  // until the first picture is drawn
    auto* const statistics = dock("statistics_dock", tr("Statistics"), scrolled(statistics_), Qt::RightDockWidgetArea);
    tabifyDockWidget(objects, statistics);
    objects->raise();
    compare_ = new ComparePanel(viewer_->selection());
    auto* const compare = dock("compare_dock", tr("Compare"), scrolled(compare_), Qt::BottomDockWidgetArea);
    auto* const bottom = dock("time_dock", tr("Time"), time, Qt::BottomDockWidgetArea);
    bottom->setTitleBarWidget(new QWidget(bottom));
    bottom->setFeatures(QDockWidget::NoDockWidgetFeatures);
    splitDockWidget(compare, bottom, Qt::Vertical);
    compare->hide();
    find_ = new FindPanel(viewer_->session(), viewer_->selection());
    analysis_dock("find_dock", tr("Find in time"), find_);
    states_ = new StatesPanel(viewer_->session(), viewer_->selection());
    analysis_dock("states_dock", tr("States"), states_);
    plots_ = new PlotPanel(viewer_->session(), viewer_->selection());
    analysis_dock("plots_dock", tr("Plots"), plots_);
    resizeDocks({channels, tree}, {150, 450}, Qt::Vertical);
}

/// The commands that new users need first.
void ViewerWindow::build_toolbar()
{
    auto* const bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    for (const auto command :
         {Command::open, Command::view_3d, Command::view_bird, Command::second_view, Command::reset_camera,
          Command::to_host, Command::follow, Command::measure, Command::labels, Command::legend, Command::keys}) {
        if (command == Command::view_3d || command == Command::measure || command == Command::keys) bar->addSeparator();
        auto& action = commands_->action(command);
        bar->addAction(&action);
        bar->widgetForAction(&action)->setFocusPolicy(Qt::NoFocus);
        action.setToolTip(
            QStringLiteral("%1 (%2)").arg(action.text(), action.shortcut().toString(QKeySequence::NativeText)));
    }
    commands_->menu(Menu::window).addAction(bar->toggleViewAction());
}

QDockWidget* ViewerWindow::dock(const char* name, const QString& title, QWidget* widget, Qt::DockWidgetArea area)
{
    auto* const made = new QDockWidget(title, this);
    made->setObjectName(QLatin1String(name));
    made->setWidget(widget);
    addDockWidget(area, made);
    if (area != Qt::BottomDockWidgetArea) commands_->menu(Menu::window).addAction(made->toggleViewAction());
    return made;
}

/// A panel between the scene and the timeline, hidden until it is used; such panels share their place.
QDockWidget* ViewerWindow::analysis_dock(const char* name, const QString& title, QWidget* widget)
{
    auto* const time = findChild<QDockWidget*>("time_dock");
    QDockWidget* beside = nullptr;
    for (auto* const each : findChildren<QDockWidget*>())
        if (each != time && dockWidgetArea(each) == Qt::BottomDockWidgetArea) beside = each;
    auto* const made = dock(name, title, scrolled(widget), Qt::BottomDockWidgetArea);
    commands_->menu(Menu::window).addAction(made->toggleViewAction());
    if (beside != nullptr)
        tabifyDockWidget(beside, made);
    else
        splitDockWidget(made, time, Qt::Vertical);
    made->hide();
    return made;
}

/// Shows the panel in front of those that share its place.
void ViewerWindow::show_panel(QWidget& panel)
{
    for (auto* const each : findChildren<QDockWidget*>()) {
        if (!each->isAncestorOf(&panel)) continue;
        const bool was_hidden = each->isHidden();
        each->show();
        each->raise();
        const int title_and_tabs = 4 * fontMetrics().height();
        // Nothing is scrolled; a text that is wrapped may need a second line.
        const auto* const layout = panel.layout();
        const int needed = layout != nullptr && layout->hasHeightForWidth()
                               ? layout->minimumHeightForWidth(std::max(width() / 2, 1))
                               : 0;
        const int whole = std::max(panel.minimumSizeHint().height(), needed) + title_and_tabs;
        const int wanted = std::min(std::max(height() * 3 / 10, whole), height() / 2);
        if (was_hidden && !each->isFloating()) resizeDocks({each}, {wanted}, Qt::Vertical);
    }
}

/// The channel becomes the active one, so that the arrow keys step on from this message.
void ViewerWindow::show_message_of(std::uint32_t source, std::uint64_t number)
{
    viewer_->session().set_active(source);
    viewer_->playback().go_to_message(number);
}

void ViewerWindow::connect_view(SceneView& view)
{
    connect(&view, &SceneView::picked, this, [this](const std::optional<Pick>& pick) {
        if (!pick) return viewer_->selection().clear();
        viewer_->selection().select({pick->key, pick->key.source, pick->path});
    });
    connect(&view, &SceneView::drawn, this, &ViewerWindow::scene_drawn);
    connect(&view, &SceneView::options_changed, this, &ViewerWindow::show_views);
    connect(&view, &SceneView::camera_changed, this, [this] {
        commands_->set_checked(Command::view_3d, scene_->view() == View::orbit);
        commands_->set_checked(Command::view_bird, scene_->view() == View::bird);
    });
    connect(&view, &SceneView::follow_changed, this, &ViewerWindow::show_followed);
    connect(&view, &SceneView::measuring_changed, this,
            [this] { commands_->set_checked(Command::measure, scene_->measuring()); });
    connect(&view, &SceneView::canvas_replaced, this, [this, &view] {
        show_views();
        show_work();
        statusBar()->showMessage(tr("OpenGL failed; the scene is drawn by %1").arg(view.renderer_description()));
    });
}

void ViewerWindow::connect_panels()
{
    auto& session = viewer_->session();
    auto& playback = viewer_->playback();
    connect(viewer_.get(), &Viewer::open_refused, this, [this](const QString& why) {
        scene_drawn();  // which goes on with what was held
        show_failure(tr("Open"), why);
    });
    connect(viewer_.get(), &Viewer::new_scene, views_, &SceneViews::expect_new_scene);
    connect(viewer_.get(), &Viewer::snapshot_changed, this, &ViewerWindow::show_snapshot);
    connect(viewer_.get(), &Viewer::problems_changed, this, &ViewerWindow::show_problems);
    connect(&session, &Session::traces_changed, this, &ViewerWindow::show_files);
    connect(&session, &Session::channels_changed, this, &ViewerWindow::show_times);
    connect(&session, &Session::times_changed, this, &ViewerWindow::show_times);
    connect(&session, &Session::shown_changed, this, &ViewerWindow::show_times);
    connect(&session, &Session::active_changed, this, &ViewerWindow::show_times);
    connect(viewer_.get(), &Viewer::time_shown, this, &ViewerWindow::show_time);
    connect(&playback, &PlaybackController::settings_changed, this, &ViewerWindow::show_section);
    connect(timeline_, &TimelineWidget::scrubbed, &playback, &PlaybackController::seek);
    connect(timeline_, &TimelineWidget::section_chosen, &playback, &PlaybackController::set_section);
    connect(timeline_, &TimelineWidget::channel_chosen, &session, &Session::set_active);
    connect(&viewer_->selection(), &Selection::changed, this, [this] {
        const auto& selected = viewer_->selection().current();
        views_->select(selected ? selected->thing : std::nullopt);
    });
    connect_view(*scene_);
    connect(views_, &SceneViews::view_added, this, [this](SceneView* view) { connect_view(*view); });
    connect(views_, &SceneViews::views_changed, this, &ViewerWindow::show_views);
    connect(objects_, &ObjectPanel::focus_requested, this, [this](const ThingKey& key) { scene_->look_at(key); });
    connect(objects_, &ObjectPanel::seek_requested, &playback, &PlaybackController::seek);
    connect(statistics_, &StatisticsPanel::seek_requested, &playback, &PlaybackController::seek);
    connect(statistics_, &StatisticsPanel::marks_changed, timeline_, &TimelineWidget::set_marks);
    connect(&session, &Session::channels_changed, compare_,
            [this, &session] { compare_->show_channels(session.channels()); });
    connect(compare_, &ComparePanel::compared, viewer_.get(), &Viewer::compare);
    connect(compare_, &ComparePanel::side_by_side_changed, this, &ViewerWindow::show_side_by_side);
    connect(compare_, &ComparePanel::offset_requested, &session, &Session::set_offset);
    connect(compare_, &ComparePanel::seek_requested, &playback, &PlaybackController::seek);
    // Later: the scene gets the picture of this moment after the panel does.
    connect(
        compare_, &ComparePanel::focus_requested, this, [this](const ThingKey& key) { scene_->look_at(key); },
        Qt::QueuedConnection);
    connect(compare_, &ComparePanel::message, this, &ViewerWindow::show_message);
    connect(find_, &FindPanel::found_changed, timeline_, &TimelineWidget::set_found);
    connect(find_, &FindPanel::message_requested, this, &ViewerWindow::show_message_of);
    connect(states_, &StatesPanel::message_requested, this, &ViewerWindow::show_message_of);
    connect(states_, &StatesPanel::time_requested, &playback, &PlaybackController::seek);
    connect(timeline_, &TimelineWidget::scale_changed, &states_->view(), &StateView::set_scale);
    connect(&states_->view(), &StateView::zoom_requested, timeline_, &TimelineWidget::zoom);
    connect(tree_, &MessageTreePanel::states_requested, this, [this](std::uint32_t source, const std::string& path) {
        show_panel(*states_);
        states_->add_of(source, path);
    });
    connect(plots_, &PlotPanel::seek_requested, &playback, &PlaybackController::seek);
    connect(plots_, &PlotPanel::section_chosen, &playback, &PlaybackController::set_section);
    connect(objects_, &ObjectPanel::section_chosen, &playback, &PlaybackController::set_section);
    connect(compare_, &ComparePanel::section_chosen, &playback, &PlaybackController::set_section);
    const auto plot = [this](std::uint32_t source, const std::string& expression) {
        show_panel(*plots_);
        plots_->plot(source, expression);
    };
    connect(tree_, &MessageTreePanel::plot_requested, this, plot);
    connect(objects_, &ObjectPanel::plot_requested, this, plot);
    connect(welcome_, &WelcomePage::open_requested, this, [this] { ask_for_files(false); });
    connect(welcome_, &WelcomePage::file_chosen, this, [this](const QString& file) { open({file}); });
}

}  // namespace ositrace::gui
