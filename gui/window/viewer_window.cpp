// SPDX-License-Identifier: MPL-2.0
#include "gui/window/viewer_window.hpp"

#include <utility>

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>

#include "gui/channels/channel_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/playback/transport_bar.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/statistics/statistics_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/window/layout_history.hpp"
#include "gui/window/recent_files.hpp"
#include "gui/window/status_line.hpp"
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
    show_times();
    show_followed();
    show_moment();
    show_problems();
}

ViewerWindow::~ViewerWindow() = default;

void ViewerWindow::open(const QStringList& files, std::optional<MessageType> type)
{
    statistics_->hold();
    std::vector<std::filesystem::path> paths;
    for (const auto& each : files) paths.emplace_back(each.toStdString());
    viewer_->open(paths, type);
    remember(files);
}

void ViewerWindow::open_beside(const QStringList& files)
{
    statistics_->hold();
    for (const auto& each : files) viewer_->session().open(each.toStdString());
    remember(files);
}

void ViewerWindow::remember(const QStringList& files)
{
    for (const auto& each : files)
        if (each != QLatin1String("-")) add_recent_file(each);
    list_recent();
}

void ViewerWindow::take_drawn()
{
    show_work();
    // A file that grows would be read for them all the time.
    if (viewer_->moment() && !viewer_->session().follows()) statistics_->release();
}

bool ViewerWindow::is_seen() const { return viewer_->moment() && viewer_->is_settled() && scene_->is_seen(); }

bool ViewerWindow::is_settled() const { return viewer_->moment() && viewer_->is_settled() && scene_->is_complete(); }

bool ViewerWindow::is_examined() const { return statistics_->is_settled(); }

void ViewerWindow::show_moment()
{
    const auto& moment = viewer_->moment();
    channels_->show_moment(moment);
    tree_->show_moment(moment);
    objects_->show_moment(moment);
    const auto& before = scene_->state().picture;
    const bool had_host = before && before->host;
    scene_->set_picture(moment ? moment->picture : nullptr);
    if (moment && moment->picture->host.has_value() != had_host) show_followed();
    centre_->setCurrentWidget(moment ? static_cast<QWidget*>(scene_) : welcome_);
    show_time();
    show_work();
    if (moment) emit moment_shown();
}

void ViewerWindow::show_problems()
{
    auto problems = viewer_->problems();
    QStringList opening;
    for (const auto& each : viewer_->session().traces())
        if (!each.trace && !each.complete) opening += QString::fromStdString(each.file.string());
    welcome_->show_state(opening, viewer_->moment() ? QStringList() : problems);
    QStringList names;
    for (const auto& each : viewer_->session().traces()) names += QString::fromStdString(each.file.filename().string());
    if (scene_->follows() != Follow::none && scene_->followed()) problems.prepend(followed_text());
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
    setWindowTitle(names.isEmpty() ? QStringLiteral("osiview")
                                   : names.join(QStringLiteral(", ")) + QStringLiteral(" - osiview"));
    status_->show_files(names.isEmpty() ? tr("nothing is open") : details.join(QStringLiteral(", ")),
                        details.join(QLatin1Char('\n')));
    transport_->set_zero_time(viewer_->zero_time());
    commands_->set_checked(Command::align_starts, viewer_->session().starts_aligned());
    show_work();
}

void ViewerWindow::show_times()
{
    auto& session = viewer_->session();
    timeline_->set_channels(session.channels(), session.active());
    timeline_->set_progress(session.progress());
    objects_->show_channels(*session.channels());
    show_time();
    show_work();
}

void ViewerWindow::show_time()
{
    const auto time = viewer_->shown_time();
    timeline_->set_time(time, viewer_->playback().playing());
    auto& session = viewer_->session();
    if (session.channels()->empty()) return transport_->show_position(time, {}, 0, true);
    const auto& channel = (*session.channels())[session.active()];
    transport_->show_position(time, viewer_->shown_number(), channel.times->count, channel.times->complete);
}

void ViewerWindow::show_section()
{
    const auto& playback = viewer_->playback();
    commands_->set_checked(Command::loop, playback.loops());
    timeline_->set_section(playback.section(), playback.section_applies());
    status_->show_section(playback.section() && !playback.section_applies());
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

}  // namespace ositrace::gui
