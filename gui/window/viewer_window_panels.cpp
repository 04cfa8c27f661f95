// SPDX-License-Identifier: MPL-2.0
// The arrangement of the panels and their connections.
#include <algorithm>
#include <array>
#include <type_traits>

#include <QAction>
#include <QDockWidget>
#include <QLayout>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include "gui/camera/camera_panel.hpp"
#include "gui/channels/channel_panel.hpp"
#include "gui/compare/compare_panel.hpp"
#include "gui/find/find_panel.hpp"
#include "gui/marks/marks_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/playback/transport_bar.hpp"
#include "gui/plot/plot_panel.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/states/states_panel.hpp"
#include "gui/statistics/statistics_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/widgets/path_icon.hpp"
#include "gui/window/recent_files.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/welcome_page.hpp"

namespace ositrace::gui {

namespace {

constexpr QSize least_panel(80, 40);

/// In less room than it needs, a panel is scrolled: it must not push the window off the screen.
QWidget* scrolled(QWidget* panel)
{
    if (qobject_cast<QAbstractScrollArea*>(panel) != nullptr) {
        panel->setMinimumSize(least_panel);
        return panel;
    }
    auto* const area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setMinimumSize(least_panel);
    area->setWidget(panel);
    return area;
}

/// Shows words beside the icons where all have room.
class CommandBar final : public QToolBar {
public:
    using QToolBar::QToolBar;
    void show_words_where_there_is_room()
    {
        setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        width_of_words_ = sizeHint().width();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QToolBar::resizeEvent(event);
        setToolButtonStyle(width() >= width_of_words_ ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    }

private:
    int width_of_words_ = 0;
};

/// Unlike a lane or a cloud of points, of which a part is in the picture although its centre is not.
bool has_one_place(Category category) noexcept
{
    switch (category) {
    case Category::stationary_object:
    case Category::traffic_sign:
    case Category::traffic_light:
    case Category::detected_stationary_object:
    case Category::detected_traffic_sign:
    case Category::detected_traffic_light: return true;
    default: return is_road_user(category);
    }
}

}  // namespace

void ViewerWindow::build_centre()
{
    centre_ = new QStackedWidget(this);
    welcome_ = new WelcomePage(centre_);
    views_ = new SceneViews(centre_);
    scene_ = &views_->active();
    welcome_area_ = scrolled(welcome_);
    centre_->addWidget(welcome_area_);
    centre_->addWidget(views_);
    setCentralWidget(centre_);
}

/// Creates a panel and connects the signals that several panels have.
template <class P>
QWidget* ViewerWindow::make_panel()
{
    auto& playback = viewer_->playback();
    P* made = nullptr;
    if constexpr (std::is_constructible_v<P, Session&, Selection&>)
        made = new P(viewer_->session(), viewer_->selection());
    else if constexpr (std::is_constructible_v<P, Session&>)
        made = new P(viewer_->session());
    else
        made = new P(viewer_->selection());
    if constexpr (requires { &P::seek_requested; })
        connect(made, &P::seek_requested, &playback, &PlaybackController::seek);
    if constexpr (requires { &P::section_chosen; })
        connect(made, &P::section_chosen, &playback, &PlaybackController::set_section);
    if constexpr (requires { &P::message_requested; })
        connect(made, &P::message_requested, this, &ViewerWindow::show_message_of);
    if constexpr (requires { &P::plot_requested; })
        connect(made, &P::plot_requested, this, [this](std::uint32_t source, const std::string& expression) {
            shown<PlotPanel>().plot(source, expression);
        });
    if constexpr (requires { &P::states_requested; })
        connect(made, &P::states_requested, this,
                [this](std::uint32_t source, const std::string& path) { shown<StatesPanel>().add_of(source, path); });
    panels_.push_back(made);
    return made;
}

/// Shows the panel and returns it.
template <class P>
P& ViewerWindow::shown()
{
    auto& panel = *findChild<P*>();
    show_panel(panel);
    return panel;
}

void ViewerWindow::build_panels()
{
    struct Row {
        const char* dock;  ///< its name in a layout
        const char* title;
        Qt::DockWidgetArea area;
        QWidget* (ViewerWindow::*make)();
        bool is_hidden = false;  ///< until it is used
        bool is_in_menu = true;  ///< else a command shows and hides it
    };
    static constexpr std::array rows{
        Row{"channels_dock", "Channels", Qt::LeftDockWidgetArea, &ViewerWindow::make_panel<ChannelPanel>},
        Row{"message_dock", "Message", Qt::LeftDockWidgetArea, &ViewerWindow::make_panel<MessageTreePanel>},
        Row{"objects_dock", "Objects", Qt::RightDockWidgetArea, &ViewerWindow::make_panel<ObjectPanel>},
        Row{"statistics_dock", "Statistics", Qt::RightDockWidgetArea, &ViewerWindow::make_panel<StatisticsPanel>},
        Row{"camera_dock", "Camera", Qt::RightDockWidgetArea, &ViewerWindow::make_panel<CameraPanel>, true},
        Row{"compare_dock", "Compare", Qt::BottomDockWidgetArea, &ViewerWindow::make_panel<ComparePanel>, true, false},
        Row{"find_dock", "Find in time", Qt::BottomDockWidgetArea, &ViewerWindow::make_panel<FindPanel>, true},
        Row{"states_dock", "States", Qt::BottomDockWidgetArea, &ViewerWindow::make_panel<StatesPanel>, true},
        Row{"marks_dock", "Marks", Qt::BottomDockWidgetArea, &ViewerWindow::make_panel<MarksPanel>, true},
        Row{"plots_dock", "Plots", Qt::BottomDockWidgetArea, &ViewerWindow::make_panel<PlotPanel>, true},
    };
    for (const auto corner : {Qt::BottomLeftCorner, Qt::BottomRightCorner}) setCorner(corner, Qt::BottomDockWidgetArea);
    std::map<Qt::DockWidgetArea, QDockWidget*> last;  // of each side, where all share a place
    for (const auto& row : rows) {
        auto* const made = dock(row.dock, tr(row.title), scrolled((this->*row.make)()), row.area);
        if (row.is_in_menu) commands_->menu(Menu::window).addAction(made->toggleViewAction());
        connect(made->toggleViewAction(), &QAction::triggered, this, [this, made](bool is_shown) {
            if (is_shown) bring_forward(*made);
        });
        auto*& beside = last[row.area];
        if (beside != nullptr) tabifyDockWidget(beside, made);
        if (row.area == Qt::BottomDockWidgetArea && beside == nullptr)
            splitDockWidget(made, build_player(), Qt::Vertical);
        if (row.is_hidden) made->hide();
        beside = made;
    }
    for (auto* const panel : panels_) panel->hold();  // until the first picture is drawn
    for (const auto* const front : {"message_dock", "objects_dock"}) findChild<QDockWidget*>(front)->raise();
}

/// Playback and timeline, below all panels.
QDockWidget* ViewerWindow::build_player()
{
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
    auto* const bottom = dock("time_dock", tr("Time"), time, Qt::BottomDockWidgetArea);
    bottom->setTitleBarWidget(new QWidget(bottom));
    bottom->setFeatures(QDockWidget::NoDockWidgetFeatures);
    return bottom;
}

/// The commands that new users need first.
void ViewerWindow::build_toolbar()
{
    auto* const bar = new CommandBar(tr("Tools"));
    addToolBar(bar);
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setIconSize({18, 18});
    struct Row {
        Command command;
        const char* icon;
        bool separated = false;      ///< a separator before it
        const char* word = nullptr;  ///< instead of the text of the menu
    };
    static constexpr Row rows[] = {
        {Command::open,
         "M 3 7 L 3 18 C 3 19 3 19 4 19 L 20 19 C 21 19 21 19 21 18 L 21 9 C 21 8 21 8 20 8 L 12 8 L 10 5 L 4 5 "
         "C 3 5 3 5 3 7 Z"},
        {Command::view_3d,
         "M 12 3 L 20 7.5 L 20 16.5 L 12 21 L 4 16.5 L 4 7.5 Z M 4 7.5 L 12 12 L 20 7.5 M 12 12 L 12 21", true},
        {Command::view_bird,
         "M 4 4 L 20 4 L 20 20 L 4 20 Z M 9 4 L 9 20 M 15 4 L 15 20 M 12 6 L 12 9 M 12 11 L 12 14 M 12 16 L 12 18"},
        {Command::second_view, "M 3 5 L 21 5 L 21 19 L 3 19 Z M 12 5 L 12 19"},
        {Command::reset_camera,
         "M 4 9 L 4 4 L 9 4 M 15 4 L 20 4 L 20 9 M 20 15 L 20 20 L 15 20 M 9 20 L 4 20 L 4 15 O 12 12 2"},
        {Command::follow, "M 12 3 L 19 20 L 12 16 L 5 20 Z"},
        {Command::measure,
         "M 3 15 L 15 3 L 21 9 L 9 21 Z M 6.5 11.5 L 8.5 13.5 M 9.5 8.5 L 12.5 11.5 M 12.5 5.5 L 14.5 7.5", true},
        {Command::find_events, "M 5 21 L 5 4 M 5 4 L 18 4 L 15 8.5 L 18 13 L 5 13"},
        {Command::find_in_time, "O 10 10 6 M 14.5 14.5 L 20 20 M 10 7 L 10 10 L 12 11"},
        {Command::compare, "M 3 8 L 9 8 L 9 20 L 3 20 Z M 15 4 L 21 4 L 21 16 L 15 16 Z M 9 14 L 15 10"},
        {Command::save_screenshot, "M 3 7 L 8 7 L 9.5 5 L 14.5 5 L 16 7 L 21 7 L 21 19 L 3 19 Z O 12 13 3.5", false,
         QT_TR_NOOP("Picture")},
        {Command::labels, "M 3 12 L 12 3 L 20 3 L 20 11 L 11 20 Z O 16 7 1.3"},
        {Command::legend, "O 5 6 1.3 M 10 6 L 20 6 O 5 12 1.3 M 10 12 L 20 12 O 5 18 1.3 M 10 18 L 20 18"},
    };
    for (const auto& row : rows) {
        if (row.separated) bar->addSeparator();
        auto& action = commands_->action(row.command);
        action.setIcon(path_icon(row.icon));
        if (row.word != nullptr) action.setIconText(tr(row.word));
        action.setIconVisibleInMenu(false);
        bar->addAction(&action);
        bar->widgetForAction(&action)->setFocusPolicy(Qt::NoFocus);
        action.setToolTip(
            QStringLiteral("%1 (%2)").arg(action.text(), action.shortcut().toString(QKeySequence::NativeText)));
    }
    bar->show_words_where_there_is_room();
    commands_->menu(Menu::window).addAction(bar->toggleViewAction());
}

QDockWidget* ViewerWindow::dock(const char* name, const QString& title, QWidget* widget, Qt::DockWidgetArea area)
{
    auto* const made = new QDockWidget(title, this);
    made->setObjectName(QLatin1String(name));
    made->setWidget(widget);
    addDockWidget(area, made);
    return made;
}

/// Names, values and findings need some width; the scene gets most of a larger window.
void ViewerWindow::share_width()
{
    const auto part = [this](int percent, int least, int most) {
        return std::clamp(width() * percent / 100, least, most);
    };
    resizeDocks({findChild<QDockWidget*>("message_dock"), findChild<QDockWidget*>("objects_dock")},
                {part(21, 346, 420), part(17, 280, 420)}, Qt::Horizontal);
}

/// Shows the panels that a task needs, the last one of a side in front, and hides the others.
void ViewerWindow::arrange(Command command)
{
    struct Row {
        Command command;
        std::vector<const char*> docks;
        const char* below = nullptr;  ///< one of them, which gets a third of the height
    };
    static const std::array rows{
        Row{Command::arrange_to_inspect, {"channels_dock", "message_dock", "statistics_dock", "objects_dock"}},
        Row{Command::arrange_to_plot,
            {"channels_dock", "message_dock", "objects_dock", "states_dock", "plots_dock"},
            "plots_dock"},
        Row{Command::arrange_to_compare,
            {"channels_dock", "statistics_dock", "objects_dock", "compare_dock"},
            "compare_dock"},
        Row{Command::arrange_scene_only, {}},
    };
    const auto& row = *std::ranges::find(rows, command, &Row::command);
    restoreState(default_state_);
    for (auto* const each : findChildren<QDockWidget*>())
        if (each->features() != QDockWidget::NoDockWidgetFeatures)
            each->setVisible(std::ranges::any_of(
                row.docks, [&](const char* name) { return each->objectName() == QLatin1String(name); }));
    for (const auto* const name : row.docks) findChild<QDockWidget*>(QLatin1String(name))->raise();
    share_width();
    if (row.below != nullptr)
        resizeDocks({findChild<QDockWidget*>(QLatin1String(row.below))}, {height() * 3 / 10}, Qt::Vertical);
}

/// Shows the panel in front of those that share its place.
void ViewerWindow::show_panel(QWidget& panel)
{
    for (auto* const each : findChildren<QDockWidget*>()) {
        if (!each->isAncestorOf(&panel)) continue;
        const bool was_hidden = each->isHidden();
        each->show();
        if (was_hidden)
            bring_forward(*each);
        else
            each->raise();
    }
}

/// Shows the panel before those that share its place, and gives it the height that it needs.
void ViewerWindow::bring_forward(QDockWidget& dock)
{
    dock.raise();
    if (dock.isFloating()) return;
    const auto* const area = qobject_cast<const QScrollArea*>(dock.widget());
    const auto& panel = area != nullptr ? *area->widget() : *dock.widget();
    const int title_and_tabs = 4 * fontMetrics().height();
    // Nothing is scrolled; a text that is wrapped may need a second line.
    const auto* const layout = panel.layout();
    const int needed =
        layout != nullptr && layout->hasHeightForWidth() ? layout->minimumHeightForWidth(std::max(width() / 2, 1)) : 0;
    const int whole = std::max(panel.minimumSizeHint().height(), needed) + title_and_tabs;
    const int wanted = std::min(std::max(height() * 3 / 10, whole), height() / 2);
    resizeDocks({&dock}, {wanted}, Qt::Vertical);
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
    connect(&view, &SceneView::labels_dropped, this, [this] {
        show_message(tr("Labels are off: they take more than %1 ms a picture. N shows them again.")
                         .arg(FrameLimit::most.count()));
    });
    connect(&view, &SceneView::measuring_changed, this,
            [this] { commands_->set_checked(Command::measure, scene_->measuring()); });
    connect(&view, &SceneView::canvas_replaced, this, [this, &view] {
        show_views();
        show_work();
        statusBar()->showMessage(tr("OpenGL failed; the scene is drawn by %1").arg(view.renderer_description()));
    });
}

void ViewerWindow::connect_parts()
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
    connect(viewer_.get(), &Viewer::time_shown, this, &ViewerWindow::show_motion);
    connect(&playback, &PlaybackController::playing_changed, this, &ViewerWindow::show_motion);
    connect(&playback, &PlaybackController::settings_changed, this, &ViewerWindow::show_section);
    connect(timeline_, &TimelineWidget::scrubbed, &playback, &PlaybackController::seek);
    connect(timeline_, &TimelineWidget::section_chosen, &playback, &PlaybackController::set_section);
    connect(timeline_, &TimelineWidget::channel_chosen, &session, &Session::set_active);
    connect(&viewer_->selection(), &Selection::changed, this, [this] {
        const auto& selected = viewer_->selection().current();
        views_->select(selected ? selected->thing : std::nullopt);
        if (!selected || !selected->thing || !has_one_place(selected->thing->category)) return;
        // Later: the scene gets the picture of this moment after the panels do, and its camera may follow the host.
        QMetaObject::invokeMethod(
            scene_, [view = scene_, key = *selected->thing] { view->bring_into_view(key); }, Qt::QueuedConnection);
    });
    connect_view(*scene_);
    connect(views_, &SceneViews::view_added, this, [this](SceneView* view) { connect_view(*view); });
    connect(views_, &SceneViews::views_changed, this, &ViewerWindow::show_views);
    connect(welcome_, &WelcomePage::open_requested, this, [this] { ask_for_files(false); });
    connect(welcome_, &WelcomePage::connect_requested, this, [this] { ask_for_address(); });
    connect(welcome_, &WelcomePage::sample_requested, this, [this] { make_sample(); });
    connect(welcome_, &WelcomePage::file_chosen, this, [this](const QString& file) { open({file}); });
}

/// The signals of one panel, and what panels do for each other.
void ViewerWindow::connect_panels()
{
    auto& session = viewer_->session();
    auto* const compare = findChild<ComparePanel*>();
    auto* const states = &findChild<StatesPanel*>()->view();
    auto* const marks = findChild<MarksPanel*>();
    connect(marks, &MarksPanel::marks_changed, timeline_, &TimelineWidget::set_listed_marks);
    connect(marks, &MarksPanel::marks_changed, this, [this, marks] {
        if (!bookmarks_of_.isEmpty()) keep_bookmarks(bookmarks_of_, marks->list().bookmarks());
    });
    connect(marks, &MarksPanel::message, this, &ViewerWindow::show_message);
    connect(timeline_, &TimelineWidget::mark_chosen, marks, &MarksPanel::choose);
    connect(findChild<ChannelPanel*>(), &ChannelPanel::export_requested, this,
            [this](std::uint32_t source) { save_part(source, true); });
    const auto look_at = [this](const ThingKey& key) { scene_->look_at(key); };
    connect(findChild<ObjectPanel*>(), &ObjectPanel::focus_requested, this, look_at);
    // Later: the scene gets the picture of this moment after the panels do.
    connect(marks, &MarksPanel::focus_requested, this, look_at, Qt::QueuedConnection);
    connect(findChild<StatisticsPanel*>(), &StatisticsPanel::marks_changed, timeline_, &TimelineWidget::set_marks);
    connect(&session, &Session::channels_changed, compare,
            [compare, &session] { compare->show_channels(session.channels()); });
    compare->show_channels(session.channels());
    connect(compare, &ComparePanel::compared, viewer_.get(), &Viewer::compare);
    connect(compare, &ComparePanel::side_by_side_changed, this, &ViewerWindow::show_side_by_side);
    connect(compare, &ComparePanel::offset_requested, &session, &Session::set_offset);
    connect(compare, &ComparePanel::focus_requested, this, look_at, Qt::QueuedConnection);
    connect(
        compare, &ComparePanel::place_requested, this,
        [this](const GlobalPoint& place, double metres) { scene_->look_at_place(place, metres); },
        Qt::QueuedConnection);
    connect(compare, &ComparePanel::message, this, &ViewerWindow::show_message);
    connect(findChild<FindPanel*>(), &FindPanel::found_changed, timeline_, &TimelineWidget::set_found);
    connect(timeline_, &TimelineWidget::scale_changed, states, &StateView::set_scale);
    connect(states, &StateView::zoom_requested, timeline_, &TimelineWidget::zoom);
}

void ViewerWindow::open_report(const QString& file) { shown<MarksPanel>().open_report(file); }

void ViewerWindow::connect_panel_commands()
{
    auto* const found = findChild<FindPanel*>();
    auto* const states = findChild<StatesPanel*>();
    auto* const plots = findChild<PlotPanel*>();
    auto* const history = new LayoutHistory(*this, *plots);
    connect(&plots->model(), &PlotModel::entries_changed, history, &LayoutHistory::changed);
    commands_->on(Command::undo_layout, [history] { history->undo(); });
    commands_->on(Command::redo_layout, [history] { history->redo(); });
    commands_->on(Command::find_field, [this] { findChild<MessageTreePanel*>()->focus_search(); });
    commands_->on(Command::compare, [this] {
        auto* const compare = findChild<ComparePanel*>();
        if (!compare->isVisible()) return show_panel(*compare);
        findChild<QDockWidget*>("compare_dock")->hide();
    });
    commands_->on(Command::find_in_time, [this] { shown<FindPanel>().focus(); });
    for (const auto& [name, expression] : FindPanel::named_examples())
        commands_->offer(tr("Find: %1").arg(name), [this, text = expression] { shown<FindPanel>().find(text); });
    commands_->on(Command::next_found, [found] { found->go(1); });
    commands_->on(Command::previous_found, [found] { found->go(-1); });
    commands_->on(Command::states, [this] { shown<StatesPanel>().focus(); });
    commands_->on(Command::next_change, [states] { states->go(1); });
    commands_->on(Command::previous_change, [states] { states->go(-1); });
    auto* const marks = findChild<MarksPanel*>();
    commands_->on(Command::add_bookmark, [this] { shown<MarksPanel>().add_bookmark(); });
    commands_->on(Command::bookmark_section, [this] { shown<MarksPanel>().bookmark_section(); });
    commands_->on(Command::next_mark, [marks] { marks->go(1); });
    commands_->on(Command::previous_mark, [marks] { marks->go(-1); });
    commands_->on(Command::find_events, [this] { shown<MarksPanel>().find_events(); });
    commands_->on(Command::open_report, [this] { shown<MarksPanel>().ask_for_reports(); });
    commands_->on(Command::plot, [this] { shown<PlotPanel>().focus_line(); });
    commands_->on(Command::plot_selected, [this] { shown<PlotPanel>().plot_selected(); });
}

}  // namespace ositrace::gui
