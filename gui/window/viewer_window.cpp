// SPDX-License-Identifier: MPL-2.0
#include "gui/window/viewer_window.hpp"

#include <utility>

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include "gui/channels/channel_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/playback/transport_bar.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/statistics/statistics_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/window/layout_history.hpp"
#include "gui/window/recent_files.hpp"
#include "gui/window/status_line.hpp"
#include "gui/window/theme.hpp"
#include "gui/window/welcome_page.hpp"

namespace ositrace::gui {

namespace {

QStringList dropped_files(const QMimeData& data)
{
    QStringList files;
    for (const auto& url : data.urls())
        if (url.isLocalFile()) files += url.toLocalFile();
    return files;
}

}  // namespace

ViewerWindow::ViewerWindow(std::unique_ptr<Viewer> viewer) : viewer_(std::move(viewer)), commands_(new Commands(*this))
{
    setObjectName(QStringLiteral("osiview"));
    setWindowTitle(QStringLiteral("osiview"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    resize(1280, 800);
    build_centre();
    build_docks();
    status_ = new StatusLine(*statusBar());
    connect_panels();
    connect_file_commands();
    connect_playback_commands();
    connect_scene_commands();
    connect_window_commands();
    build_toolbar();
    default_state_ = saveState();
    history_ = new LayoutHistory(*this);
    show_files();
    show_problems();
    show_moment();
}

ViewerWindow::~ViewerWindow() = default;

void ViewerWindow::build_centre()
{
    centre_ = new QStackedWidget(this);
    welcome_ = new WelcomePage(centre_);
    scene_ = new SceneView(centre_);
    centre_->addWidget(welcome_);
    centre_->addWidget(scene_);
    setCentralWidget(centre_);
}

void ViewerWindow::build_docks()
{
    for (const auto corner : {Qt::BottomLeftCorner, Qt::BottomRightCorner}) setCorner(corner, Qt::BottomDockWidgetArea);
    channels_ = new ChannelPanel(viewer_->session());
    tree_ = new MessageTreePanel(viewer_->selection());
    objects_ = new ObjectPanel(viewer_->selection());
    auto* const time = new QWidget;
    auto* const column = new QVBoxLayout(time);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    transport_ = new TransportBar(viewer_->playback());
    timeline_ = new TimelineWidget;
    column->addWidget(transport_);
    column->addWidget(timeline_);

    auto* const channels = dock("channels_dock", tr("Channels"), channels_, Qt::LeftDockWidgetArea);
    auto* const tree = dock("message_dock", tr("Message"), tree_, Qt::LeftDockWidgetArea);
    auto* const objects = dock("objects_dock", tr("Objects"), objects_, Qt::RightDockWidgetArea);
    statistics_ = new StatisticsPanel(viewer_->session(), viewer_->selection());
    auto* const statistics = dock("statistics_dock", tr("Statistics"), statistics_, Qt::RightDockWidgetArea);
    tabifyDockWidget(objects, statistics);
    objects->raise();
    auto* const bottom = dock("time_dock", tr("Time"), time, Qt::BottomDockWidgetArea);
    bottom->setTitleBarWidget(new QWidget(bottom));
    bottom->setFeatures(QDockWidget::NoDockWidgetFeatures);
    resizeDocks({channels, tree}, {150, 450}, Qt::Vertical);
    resizeDocks({channels, objects}, {350, 300}, Qt::Horizontal);
}

/// What strangers look for.
void ViewerWindow::build_toolbar()
{
    auto* const bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    for (const auto command : {Command::open, Command::view_3d, Command::view_bird, Command::reset_camera, Command::to_host, Command::follow,
                               Command::measure, Command::labels, Command::legend, Command::keys}) {
        if (command == Command::view_3d || command == Command::measure || command == Command::keys) bar->addSeparator();
        auto& action = commands_->action(command);
        bar->addAction(&action);
        bar->widgetForAction(&action)->setFocusPolicy(Qt::NoFocus);
        action.setToolTip(QStringLiteral("%1 (%2)").arg(action.text(), action.shortcut().toString(QKeySequence::NativeText)));
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

void ViewerWindow::connect_panels()
{
    auto& session = viewer_->session();
    auto& playback = viewer_->playback();
    connect(viewer_.get(), &Viewer::moment_changed, this, &ViewerWindow::show_moment);
    connect(viewer_.get(), &Viewer::problems_changed, this, &ViewerWindow::show_problems);
    connect(&session, &Session::traces_changed, this, &ViewerWindow::show_files);
    connect(&session, &Session::channels_changed, this, &ViewerWindow::show_times);
    connect(&session, &Session::times_changed, this, &ViewerWindow::show_times);
    connect(&session, &Session::shown_changed, this, &ViewerWindow::show_times);
    connect(&session, &Session::active_changed, this, &ViewerWindow::show_times);
    connect(&playback, &PlaybackController::time_changed, this, &ViewerWindow::show_time);
    connect(&playback, &PlaybackController::settings_changed, this, [this] {
        timeline_->set_section(viewer_->playback().section());
        commands_->set_checked(Command::loop, viewer_->playback().loops());
    });
    connect(timeline_, &TimelineWidget::scrubbed, &playback, &PlaybackController::seek);
    connect(timeline_, &TimelineWidget::section_chosen, &playback, &PlaybackController::set_section);
    connect(timeline_, &TimelineWidget::channel_chosen, &session, &Session::set_active);
    connect(&viewer_->selection(), &Selection::changed, this, [this] {
        const auto& selected = viewer_->selection().current();
        scene_->select(selected ? selected->thing : std::nullopt);
    });
    connect(scene_, &SceneView::picked, this, [this](const std::optional<Pick>& pick) {
        if (!pick) return viewer_->selection().clear();
        viewer_->selection().select({pick->key, pick->key.source, pick->path});
    });
    connect(scene_, &SceneView::drawn, this, &ViewerWindow::show_work);
    connect(objects_, &ObjectPanel::focus_requested, scene_, &SceneView::look_at);
    connect(statistics_, &StatisticsPanel::seek_requested, &playback, &PlaybackController::seek);
    connect(statistics_, &StatisticsPanel::marks_changed, timeline_, &TimelineWidget::set_marks);
    connect(welcome_, &WelcomePage::open_requested, this, [this] { ask_for_files(false); });
    connect(welcome_, &WelcomePage::file_chosen, this, [this](const QString& file) { open({file}); });
}

void ViewerWindow::open(const QStringList& files, std::optional<MessageType> type)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& each : files) paths.emplace_back(each.toStdString());
    viewer_->open(paths, type);
    remember(files);
}

void ViewerWindow::open_beside(const QStringList& files)
{
    for (const auto& each : files) viewer_->session().open(each.toStdString());
    remember(files);
}

void ViewerWindow::remember(const QStringList& files)
{
    for (const auto& each : files)
        if (each != QLatin1String("-")) add_recent_file(each);
    list_recent();
}

bool ViewerWindow::is_settled() const { return viewer_->moment() && viewer_->is_settled() && scene_->is_complete(); }

void ViewerWindow::set_theme(Theme theme)
{
    theme_ = theme;
    apply_theme(*qApp, theme);
    scene_->set_theme(theme);
    commands_->set_checked(Command::theme, theme == Theme::light);
}

void ViewerWindow::show_moment()
{
    const auto& moment = viewer_->moment();
    channels_->show_moment(moment);
    tree_->show_moment(moment);
    objects_->show_moment(moment);
    scene_->set_picture(moment ? moment->picture : nullptr);
    centre_->setCurrentWidget(moment ? static_cast<QWidget*>(scene_) : welcome_);
    show_time();
    show_work();
    if (moment) emit moment_shown();
}

void ViewerWindow::show_problems()
{
    const auto problems = viewer_->problems();
    QStringList opening;
    for (const auto& each : viewer_->session().traces())
        if (!each.trace && !each.complete) opening += QString::fromStdString(each.file.string());
    welcome_->show_state(opening, viewer_->moment() ? QStringList() : problems);
    QStringList names;
    for (const auto& each : viewer_->session().traces()) names += QString::fromStdString(each.file.filename().string());
    scene_->set_caption(names.join(QStringLiteral(", ")), problems);
}

void ViewerWindow::show_files()
{
    QStringList names;
    QStringList details;
    for (const auto& each : viewer_->session().traces()) {
        names += QString::fromStdString(each.file.filename().string());
        details += QString::fromStdString(each.file.string());
    }
    setWindowTitle(names.isEmpty() ? QStringLiteral("osiview") : names.join(QStringLiteral(", ")) + QStringLiteral(" - osiview"));
    status_->show_files(names.isEmpty() ? tr("nothing is open") : details.join(QStringLiteral(", ")), details.join(QLatin1Char('\n')));
    transport_->set_zero_time(viewer_->zero_time());
    commands_->set_checked(Command::align_starts, viewer_->session().starts_aligned());
    show_work();
}

void ViewerWindow::show_times()
{
    auto& session = viewer_->session();
    timeline_->set_channels(session.channels(), session.active());
    timeline_->set_progress(session.progress());
    show_time();
    show_work();
}

void ViewerWindow::show_time()
{
    const auto& playback = viewer_->playback();
    timeline_->set_time(playback.time());
    auto& session = viewer_->session();
    if (session.channels()->empty()) return transport_->show_message({}, 0, true);
    const auto& channel = (*session.channels())[session.active()];
    transport_->show_message(playback.active_number(), channel.times->count, channel.times->complete);
}

void ViewerWindow::show_work()
{
    const auto& moment = viewer_->moment();
    status_->show_work({.index_progress = viewer_->session().progress(),
                        .made_in = moment ? moment->made_in : std::chrono::nanoseconds(0),
                        .drawn_in = scene_->drawn_in(),
                        .cache_bytes = viewer_->frames().cache_bytes(),
                        .renderer = scene_->renderer_description()});
}

Layout ViewerWindow::layout_now() const
{
    Layout layout{.geometry = saveGeometry(), .state = saveState(), .theme = theme_, .camera = scene_->camera()};
    layout.labels = scene_->labels();
    layout.legend = scene_->legend();
    const auto& options = scene_->options();
    layout.grid = options.grid;
    layout.cloud_field = options.cloud_field;
    layout.point_size = options.point_size;
    for (std::size_t i = 0; i != category_count; ++i)
        if (options.hidden.test(i)) layout.hidden.push_back(static_cast<int>(i));
    layout.arrows_by_message = arrows_by_message_;
    return layout;
}

void ViewerWindow::apply(const Layout& layout)
{
    if (!layout.geometry.isEmpty()) restoreGeometry(layout.geometry);
    if (!layout.state.isEmpty()) restoreState(layout.state);
    if (layout.theme) set_theme(*layout.theme);
    auto options = scene_->options();
    options.hidden.reset();
    for (const int each : layout.hidden) options.hidden.set(static_cast<std::size_t>(each));
    options.grid = layout.grid;
    options.cloud_field = layout.cloud_field;
    options.point_size = static_cast<float>(layout.point_size);
    scene_->set_options(options);
    scene_->set_labels(layout.labels);
    scene_->set_legend(layout.legend);
    if (layout.camera) {
        auto camera = scene_->camera();
        const auto place = camera.target;
        camera = *layout.camera;
        camera.target = place;
        if (viewer_->moment())
            scene_->set_camera(camera);
        else
            scene_->set_view(camera.view);
    }
    arrows_by_message_ = layout.arrows_by_message;
    commands_->set_checked(Command::labels, layout.labels);
    commands_->set_checked(Command::legend, layout.legend);
    commands_->set_checked(Command::arrows_by_message, layout.arrows_by_message);
}

void ViewerWindow::paintEvent(QPaintEvent* event)
{
    QMainWindow::paintEvent(event);
    QMetaObject::invokeMethod(viewer_.get(), &Viewer::release, Qt::QueuedConnection);  // behind all of this painting
}

void ViewerWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!dropped_files(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

/// With Shift beside what is open.
void ViewerWindow::dropEvent(QDropEvent* event)
{
    const auto files = dropped_files(*event->mimeData());
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        open_beside(files);
    else
        open(files);
    event->acceptProposedAction();
}

void ViewerWindow::closeEvent(QCloseEvent* event)
{
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/panels"), saveState());
    settings.setValue(QStringLiteral("window/theme"), theme_ == Theme::light ? QStringLiteral("light") : QStringLiteral("dark"));
    QMainWindow::closeEvent(event);
}

}  // namespace ositrace::gui
