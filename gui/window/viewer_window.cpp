// SPDX-License-Identifier: MPL-2.0
#include "gui/window/viewer_window.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QObject>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QString>

#include <ositrace/network_address.hpp>

#include "gui/marks/marks_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/playback/transport_bar.hpp"
#include "gui/remote/remote_file.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/text/quantity.hpp"
#include "gui/widgets/dock_panel.hpp"
#include "gui/widgets/steady_label.hpp"
#include "gui/window/layout.hpp"
#include "gui/window/recent_files.hpp"
#include "gui/window/welcome_page.hpp"

namespace ositrace::gui {

/// The figures of the status bar.
struct WorkFigures {
    std::optional<double> index_progress;   ///< empty: unknown; 1: complete
    std::chrono::nanoseconds build_time{};  ///< of the shown snapshot
    std::chrono::nanoseconds drawn_in{};
    std::size_t cache_bytes = 0;
    QString renderer;
};

/// The file on the left; index, decode and draw times, cache and renderer on the right.
class StatusLine : public QObject {
public:
    explicit StatusLine(QStatusBar& bar);
    void show_files(const QString& files, const QString& details);
    void show_section(bool is_left);
    void show_work(const WorkFigures& figures);
    void hide_work();

private:
    QLabel* files_ = nullptr;
    QLabel* section_ = nullptr;
    QLabel* index_ = nullptr;
    QLabel* decode_ = nullptr;
    QLabel* draw_ = nullptr;
    QLabel* cache_ = nullptr;
    QLabel* renderer_ = nullptr;
};

namespace {

QLabel* label(QStatusBar& bar, const QString& tip)
{
    auto* const made = new QLabel(&bar);
    made->setToolTip(tip);
    made->setMargin(3);
    bar.addPermanentWidget(made);
    return made;
}

}  // namespace

StatusLine::StatusLine(QStatusBar& bar) : QObject(&bar), files_(new QLabel(&bar))
{
    files_->setMargin(3);
    files_->setMinimumWidth(0);
    files_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar.addWidget(files_, 1);
    section_ = label(bar, tr("Seek or step into the section to play only the section again; Shift+I removes it"));
    section_->setObjectName(QStringLiteral("section_left"));
    section_->setText(tr("outside of the section: everything is played"));
    section_->hide();
    index_ = label(bar, tr("Progress of reading the times of the messages"));
    decode_ = label(bar, tr("Time to read and decode the shown messages"));
    draw_ = label(bar, tr("Time to draw the scene"));
    cache_ = label(bar, tr("Memory used for recently shown messages"));
    renderer_ = label(bar, tr("Renderer of the scene"));
    renderer_->setMaximumWidth(260);
}

void StatusLine::show_files(const QString& files, const QString& details)
{
    files_->setText(files);
    files_->setToolTip(details);
}

void StatusLine::show_section(bool is_left) { section_->setVisible(is_left); }

void StatusLine::show_work(const WorkFigures& figures)
{
    const bool complete = figures.index_progress && *figures.index_progress >= 1;
    index_->setVisible(!complete);
    index_->setText(figures.index_progress ? tr("index %1 %").arg(static_cast<int>(*figures.index_progress * 100))
                                           : tr("index..."));
    show_steadily(*decode_, tr("decode %1").arg(milliseconds_text(figures.build_time, 1)));
    show_steadily(*draw_, tr("draw %1").arg(milliseconds_text(figures.drawn_in, 1)));
    show_steadily(*cache_, tr("cache %1").arg(size_text(figures.cache_bytes)));
    // `llvmpipe (LLVM 15.0.6, 256 bits); 4.5 ...`: the rest is in the tooltip.
    const auto renderer =
        renderer_->fontMetrics().elidedText(figures.renderer.section(QLatin1String(" ("), 0, 0), Qt::ElideRight, 250);
    if (renderer != renderer_->text()) renderer_->setText(renderer);
    renderer_->setToolTip(figures.renderer);
}

void StatusLine::hide_work()
{
    for (auto* const each : {decode_, draw_, cache_}) each->hide();
}

namespace {

QStringList dropped_files(const QMimeData& data)
{
    QStringList files;
    for (const auto& url : data.urls())
        if (url.isLocalFile()) files += url.toLocalFile();
    return files;
}

/// A map alone, while traces are open.
bool is_map_for(const QStringList& files, const Session& session)
{
    return files.size() == 1 && files.front().endsWith(QLatin1String(".xodr"), Qt::CaseInsensitive) &&
           !session.traces().empty();
}

}  // namespace

ViewerWindow::ViewerWindow(std::unique_ptr<Viewer> viewer) : viewer_(std::move(viewer)), commands_(new Commands(*this))
{
    apply_theme(*qApp, theme_);  // each widget is styled once
    setObjectName(QStringLiteral("osiview"));
    setWindowTitle(QStringLiteral("osiview"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    resize(QSize(1280, 800).boundedTo(screen()->availableSize()));
    build_centre();
    build_panels();
    status_ = new StatusLine(*statusBar());
    connect_parts();
    connect_panels();
    connect_panel_commands();
    connect_file_commands();
    connect_playback_commands();
    connect_scene_commands();
    connect_window_commands();
    connect_export_commands();
    build_toolbar();
    default_state_ = saveState();
    show_files();
    show_times();
    show_followed();
    show_snapshot();
    show_problems();
}

ViewerWindow::~ViewerWindow() = default;

void ViewerWindow::open(const QStringList& files, std::optional<MessageType> type)
{
    keep_picture();
    for (auto* const panel : panels_) panel->hold();
    to_remember_.clear();
    std::vector<std::filesystem::path> paths;
    for (const auto& each : files) paths.emplace_back(each.toStdString());
    viewer_->open(paths, type);
    show_kept_bookmarks(files);
    remember(files);
}

/// Those of the first trace; while only a picture is made there are none, so that it depends on the trace alone.
void ViewerWindow::show_kept_bookmarks(const QStringList& files)
{
    if (!keeps_bookmarks_) return;
    auto& list = findChild<MarksPanel*>()->list();
    const bool is_kept = !files.isEmpty() && QFileInfo(files.front()).isFile();
    const bool is_of_layout = bookmarks_of_.isEmpty() && !list.bookmarks().isEmpty();
    bookmarks_of_.clear();  // the list of another trace is not kept for this one
    if (!is_of_layout) list.set_bookmarks(is_kept ? kept_bookmarks(files.front()) : QJsonArray());
    if (is_kept) bookmarks_of_ = files.front();
}

/// A map is shown with the open traces.
void ViewerWindow::open_additional(const QStringList& files)
{
    if (is_map_for(files, viewer_->session())) {
        set_map_file(files.front().toStdString());
        viewer_->session().reload();
        return;
    }
    for (auto* const panel : panels_) panel->hold();
    std::vector<std::filesystem::path> paths;
    for (const auto& each : files) paths.emplace_back(each.toStdString());
    viewer_->open_additional(paths);
    remember(files);
}

void ViewerWindow::remember(const QStringList& files)
{
    for (const auto& each : files)
        if (is_remote(each.toStdString()) || is_network_address(each.toStdString()))
            add_recent_address(each);
        else if (each != QLatin1String("-"))
            to_remember_ += each;
    list_recent();
    remember_opened();
}

void ViewerWindow::remember_opened()
{
    const auto is_shown = [this](const QString& file) {
        const auto& traces = viewer_->session().traces();
        return std::any_of(traces.begin(), traces.end(), [&](const OpenTrace& each) {
            return each.trace && QString::fromStdString(each.file.string()) == file;
        });
    };
    QStringList waiting;
    for (const auto& each : to_remember_)
        if (is_shown(each))
            add_recent_file(each);
        else
            waiting += each;
    if (waiting.size() != to_remember_.size()) list_recent();
    to_remember_ = waiting;
}

void ViewerWindow::scene_drawn()
{
    show_work();
    // What grows would be read again and again for them.
    if (viewer_->snapshot() && !viewer_->session().grows())
        for (auto* const panel : panels_) panel->release();
}

void ViewerWindow::hide_work() { status_->hide_work(); }

bool ViewerWindow::is_seen() const { return viewer_->snapshot() && viewer_->is_settled() && views_->is_seen(); }

bool ViewerWindow::is_settled() const { return viewer_->snapshot() && viewer_->is_settled() && views_->is_complete(); }

bool ViewerWindow::is_examined() const { return std::ranges::all_of(panels_, &DockPanel::is_settled); }

void ViewerWindow::show_snapshot()
{
    const auto& snapshot = viewer_->snapshot();
    for (auto* const panel : panels_) panel->show_snapshot(snapshot);
    const auto& before = scene_->state().picture;
    const bool had_host = before && before->host;
    views_->set_tints(snapshot ? tints_of(*snapshot) : std::vector<ThingTint>());
    show_scene();
    views_->set_marks(snapshot ? marks_of(*snapshot) : std::vector<SceneMark>());
    if (snapshot && snapshot->picture->host.has_value() != had_host) show_followed();
    if (snapshot || viewer_->session().channels()->empty())  // else the next one comes at once
        centre_->setCurrentWidget(snapshot ? static_cast<QWidget*>(views_) : welcome_area_);
    show_panels(snapshot || !viewer_->session().traces().empty());
    show_time();
    show_work();
    if (snapshot) emit snapshot_shown();
}

void ViewerWindow::show_scene()
{
    const auto& snapshot = viewer_->snapshot();
    QElapsedTimer timer;
    timer.start();
    const auto picture = viewer_->shown_picture();
    views_->set_picture(picture);
    if (!snapshot || picture == snapshot->picture) return;
    motion_shown_.start();
    if (!motion_limit_.is_exceeded_by(std::chrono::nanoseconds(timer.nsecsElapsed()) + views_->drawn_in())) return;
    set_interpolates(false);
    show_message(tr("Motion between messages is off: a picture takes more than %1 ms").arg(FrameLimit::most.count()));
}

/// Between the messages, at most 30 times a second. A pause shows the message itself.
void ViewerWindow::show_motion()
{
    constexpr qint64 least_interval = 32;  // milliseconds
    const bool plays = viewer_->playback().playing();
    if (!viewer_->interpolates() || (plays && motion_shown_.isValid() && motion_shown_.elapsed() < least_interval))
        return;
    show_scene();
}

void ViewerWindow::show_problems()
{
    auto problems = viewer_->problems();
    QStringList opening;
    const auto& traces = viewer_->session().traces();
    for (const auto& each : traces)
        if (!each.trace && !each.complete) opening += QString::fromStdString(each.file.string());
    const bool waits = viewer_->session().is_live() &&
                       std::ranges::all_of(traces, [](const OpenTrace& each) { return each.problem.isEmpty(); });
    welcome_->show_state(opening, viewer_->snapshot() ? QStringList() : problems, waits);
    QStringList names;
    for (const auto& each : viewer_->session().traces()) names += QString::fromStdString(each.file.filename().string());
    if (scene_->follows() && scene_->followed()) problems.prepend(followed_text());
    QString side = before_side_by_side_ ? QStringLiteral("A: ") : QString();
    for (auto* const view : views_->all()) {
        const auto channels = view->hidden_channels().isEmpty() ? names : view->shown_channels();
        view->set_caption(side + channels.join(QStringLiteral(", ")), problems);
        if (before_side_by_side_) side = QStringLiteral("B: ");
    }
}

void ViewerWindow::show_files()
{
    QStringList names;
    QStringList details;
    for (const auto& each : viewer_->session().traces()) {
        names += QString::fromStdString(each.file.filename().string());
        details += QString::fromStdString(each.file.string());
        if (!each.state.isEmpty()) details.back() += QStringLiteral(" (%1)").arg(each.state);
    }
    setWindowTitle(names.isEmpty() ? QStringLiteral("osiview")
                                   : names.join(QStringLiteral(", ")) + QStringLiteral(" - osiview"));
    show_panels(!names.isEmpty());
    status_->show_files(names.isEmpty() ? tr("nothing is open") : details.join(QStringLiteral(", ")),
                        details.join(QLatin1Char('\n')));
    transport_->set_zero_time(viewer_->zero_time());
    remember_opened();
    commands_->set_checked(Command::align_starts, viewer_->session().starts_aligned());
    show_work();
}

namespace {

/// Of the channels that a user has given a colour or an opacity.
std::vector<SourceStyle> styles_of(const OpenChannels& channels)
{
    std::vector<SourceStyle> styles;
    for (std::uint32_t i = 0; i != channels.size(); ++i) {
        const auto& [rgb, opacity] = channels[i].style;
        if (channels[i].style == ChannelStyle()) continue;
        SourceStyle style{.source = i, .colour = {}, .opacity = static_cast<float>(opacity) / 100};
        const auto part = [](std::uint32_t byte) { return static_cast<float>(byte & 0xffU) / 255; };
        if (rgb) style.colour = {part(*rgb >> 16U), part(*rgb >> 8U), part(*rgb)};
        styles.push_back(style);
    }
    return styles;
}

}  // namespace

void ViewerWindow::show_times()
{
    auto& session = viewer_->session();
    timeline_->set_channels(session.channels(), session.active());
    views_->set_channels(names_of(*session.channels()));
    views_->set_styles(styles_of(*session.channels()));
    timeline_->set_progress(session.progress());
    for (auto* const panel : panels_) panel->show_times(session.channels());
    show_time();
    show_work();
}

void ViewerWindow::show_time()
{
    const auto time = viewer_->shown_time();
    timeline_->set_time(time, viewer_->playback().playing());
    for (auto* const panel : panels_) panel->show_time(time);
    auto& session = viewer_->session();
    if (session.channels()->empty()) return transport_->show_position(time, {}, 0, true);
    const auto& channel = (*session.channels())[session.active()];
    const auto number = viewer_->shown_number();
    const auto in_file = number ? number_in_file(viewer_->snapshot()->channels[session.active()]) : std::nullopt;
    transport_->show_position(time, number, channel.times->count, channel.times->complete, in_file);
}

void ViewerWindow::show_section()
{
    const auto& playback = viewer_->playback();
    commands_->set_checked(Command::loop, playback.loops());
    commands_->action(Command::live).setEnabled(playback.grows());
    timeline_->set_section(playback.section(), playback.section_applies());
    for (auto* const panel : panels_) panel->show_section(playback.section());
    status_->show_section(playback.section() && !playback.section_applies());
}

void ViewerWindow::show_work()
{
    const auto& snapshot = viewer_->snapshot();
    status_->show_work({.index_progress = viewer_->session().progress(),
                        .build_time = snapshot ? snapshot->build_time : std::chrono::nanoseconds(0),
                        .drawn_in = views_->drawn_in(),
                        .cache_bytes = viewer_->frames().cache_bytes(),
                        .renderer = scene_->renderer_description()});
}

void ViewerWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!dropped_files(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

/// A map is shown with the open traces, a report on the timeline. With Shift, adds to the open files.
void ViewerWindow::dropEvent(QDropEvent* event)
{
    auto files = dropped_files(*event->mimeData());
    for (const auto& each : files)
        if (is_report(each)) open_report(each);
    files.removeIf(is_report);
    event->acceptProposedAction();
    if (files.isEmpty()) return;
    if (event->modifiers().testFlag(Qt::ShiftModifier) || is_map_for(files, viewer_->session()))
        open_additional(files);
    else
        open(files);
}

}  // namespace ositrace::gui
