// SPDX-License-Identifier: MPL-2.0
// Exports: the section as a trace, a message as JSON, a picture, a video, a web page.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProgressDialog>
#include <QSize>
#include <QString>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "gui/export/background_job.hpp"
#include "gui/export/trace_export.hpp"
#include "gui/marks/marks_panel.hpp"
#include "gui/scene/legend.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/screenshot/arranged_images.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/text/quantity.hpp"
#include "gui/video/scene_video.hpp"
#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"
#include "gui/web/scene_page.hpp"
#include "gui/window/picture_dialogs.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/window_picture.hpp"
#include "gui/window/window_video.hpp"

namespace ositrace::gui {

namespace {

constexpr Nanoseconds title_step = std::chrono::milliseconds(1);

/// `drive_part.osi`, beside the trace if its folder can be written: with the extension of its container.
QString offered_name(const std::filesystem::path& file, const QString& added)
{
    const QFileInfo info(QString::fromStdString(file.string()));
    if (file.string().find("://") != std::string::npos) return QStringLiteral("live") + added;  // of a live source
    const auto name = info.fileName();
    const auto dot = name.indexOf(QLatin1Char('.'), 1);
    const auto base = dot < 0 ? name : name.left(dot);
    // Of a trace on a disk that is only read, or in a folder that is gone: where a person's own files are.
    const bool is_writable = QFileInfo(info.path()).isWritable();
    return (is_writable ? info.dir() : QDir::home()).filePath(base + added);
}

/// Of the container and the encoding, without compression: `.mcap` of `RUN.MCAP`; `.osi` if the name states neither.
QString extension_of(const std::filesystem::path& file)
{
    const auto stated = trace_extension(file.string());
    if (!stated) return QStringLiteral(".osi");
    return QString::fromUtf8(stated->encoding ? row_of(*stated->encoding).file_extension : stated->container.extension);
}

}  // namespace

void ViewerWindow::connect_export_commands()
{
    commands_->on(Command::export_section, [this] { save_section(); });
    commands_->on(Command::export_json, [this] { save_json(); });
    commands_->on(Command::save_screenshot, [this] { save_picture(); });
    commands_->on(Command::export_video, [this] { save_video(); });
    commands_->on(Command::export_page, [this] { save_page(); });
}

void ViewerWindow::run_job(const QString& title, BackgroundJob::Work work)
{
    auto* const job = new BackgroundJob(title, std::move(work), *this);
    connect(job, &BackgroundJob::ended, this, &ViewerWindow::show_message);
    connect(job, &BackgroundJob::failed, this, [this, title](const QString& why) { show_failure(title, why); });
}

/// In the middle of the window: who waits for a file must not miss that there is none. Blocks nothing.
void ViewerWindow::show_failure(const QString& title, const QString& why)
{
    auto* const box = new QMessageBox(QMessageBox::Warning, title, why, QMessageBox::Ok, this);
    box->setObjectName(QStringLiteral("failure"));
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowModality(Qt::NonModal);
    box->show();
}

/// Of the file of the active channel.
void ViewerWindow::save_section()
{
    const auto& session = viewer_->session();
    if (session.channels()->empty()) return show_message(tr("Nothing is open"));
    save_part(session.active(), false);
}

/// Of the file of a channel, or of the channel alone. Its times are shifted if traces are aligned.
void ViewerWindow::save_part(std::uint32_t source, bool only_channel)
{
    auto& session = viewer_->session();
    if (source >= session.channels()->size()) return;
    const auto& channel = (*session.channels())[source];
    if (!session.traces()[channel.trace_number].whole) return show_message(tr("The trace is still being read"));
    const auto& file = channel.trace->info().file;
    const auto& section = viewer_->playback().section();
    const auto of =
        only_channel ? QString::fromStdString(channel.name) : QString::fromStdString(file.filename().string());
    const auto output = QFileDialog::getSaveFileName(
        this,
        section ? tr("Export %1 to %2 of %3")
                      .arg(seconds_text(section->from, title_step), seconds_text(section->to, title_step), of)
                : tr("Export all of %1 (I and O select a section)").arg(of),
        offered_name(file, QStringLiteral("_part") + extension_of(file)),
        tr("Traces (%1);;All files (*)").arg(name_patterns(written_extensions(true))));
    if (output.isEmpty()) return;
    std::optional<TimeSpan> span;
    if (section) span = TimeSpan{shifted(section->from, -channel.shift), shifted(section->to, -channel.shift)};
    std::vector<std::filesystem::path> inputs;
    for (const auto& each : session.traces())
        if (each.is_file()) inputs.push_back(each.file);
    run_job(tr("Export %1").arg(QFileInfo(output).fileName()),
            [trace = channel.trace, only = only_channel ? std::optional(channel.in_trace) : std::nullopt, span, inputs,
             name = std::filesystem::path(output.toStdString())](const std::stop_token& stop, JobProgress& progress) {
                return export_section(*trace, only, span, name, inputs, stop, [&](double part) { progress = part; });
            });
}

void ViewerWindow::save_json()
{
    const auto& snapshot = viewer_->snapshot();
    const auto active = viewer_->session().active();
    const auto* const shown = snapshot && active < snapshot->channels.size() ? &snapshot->channels[active] : nullptr;
    if (shown == nullptr || !shown->frame || shown->channel->root == nullptr)
        return show_message(tr("The active channel shows no message"));
    const auto& file = viewer_->session().traces()[(*viewer_->session().channels())[active].trace_number].file;
    const auto output = QFileDialog::getSaveFileName(
        this, tr("Save message %1 of %2 as JSON").arg(shown->number).arg(QString::fromStdString(shown->name)),
        offered_name(file, QStringLiteral("_%1.json").arg(shown->number)), tr("JSON (*.json *.jsonl);;All files (*)"));
    if (output.isEmpty()) return;
    run_job(tr("Export %1").arg(QFileInfo(output).fileName()),
            [snapshot, active, name = std::filesystem::path(output.toStdString())](const std::stop_token&,
                                                                                   JobProgress& progress) {
                progress = -1;
                return export_json(snapshot->channels[active], name);
            });
}

/// With the cameras of the window, which move on.
ArrangedScene ViewerWindow::scene_now() const
{
    const auto view_now = [](const SceneView& view) {
        ArrangedView now{view.state(), {view.camera_controller(), {}, true}, view.hidden_channels()};
        now.state.hovered.reset();
        return now;
    };
    ArrangedScene scene{.first = view_now(views_->first()), .second = {}, .trail = viewer_->trail()};
    if (const auto* const second = views_->second()) scene.second = view_now(*second);
    scene.first_share = views_->first_share();
    return scene;
}

/// Of the scene, with both views.
QSize ViewerWindow::shown_size() const
{
    return (views_->is_split() ? static_cast<const QWidget&>(*views_) : *scene_).size();
}

/// The name has the time: pictures of several times do not replace each other.
void ViewerWindow::save_picture()
{
    const auto& snapshot = viewer_->snapshot();
    if (!snapshot) return show_message(tr("Nothing is shown"));
    const double ratio = devicePixelRatioF();
    const auto time = seconds_text(viewer_->shown_time(), std::chrono::milliseconds(1)).remove(QLatin1Char(' '));
    PictureDialog dialog(
        {.size = (QSizeF(shown_size()) * ratio).toSize(),
         .scale = ratio,
         .theme = scene_->state().options.theme,
         .file = offered_name(viewer_->session().traces().front().file, QStringLiteral("_%1.png").arg(time))},
        (QSizeF(size()) * ratio).toSize(), this);
    if (dialog.exec() != QDialog::Accepted) return;
    const auto request = dialog.request();
    const auto title = tr("Save %1").arg(QFileInfo(request.file).fileName());
    const auto save = [request, time](const QImage& image) {
        write_png(image, request.file.toStdString(), true);  // the dialog has asked
        return tr("Saved %1: %2 x %3 pixels, at %4").arg(request.file).arg(image.width()).arg(image.height()).arg(time);
    };
    for (auto* const view : views_->all()) view->end_flight();
    if (request.whole_window)
        return run_job(title,
                       [image = picture_of(*this), save](const std::stop_token&, JobProgress&) { return save(image); });
    auto scene = scene_now();
    scene.first.state.options.theme = request.theme;
    if (scene.second) scene.second->state.options.theme = request.theme;
    const auto keep_folded = [](const SceneView& view, ArrangedView& in) {
        if (is_legend_folded(view.state(), view.size())) in.state.legend_folded = true;
    };
    keep_folded(views_->first(), scene.first);
    if (scene.second) keep_folded(*views_->second(), *scene.second);
    const auto video = scene_video_of(*viewer_);
    const SceneMoment moment{.picture = snapshot->picture,
                             .time = viewer_->shown_time(),
                             .files = request.caption ? video.files : QString(),
                             .channels = names_of(*video.channels),
                             .notes = viewer_->problems(),
                             .marks = marks_of(*snapshot)};
    run_job(title, [scene, moment, request, save](const std::stop_token&, JobProgress& progress) {
        progress = -1;
        ArrangedImages images(scene, request.size, request.scale);
        const auto image = images.draw(moment);
        const auto why = images.why_painted();
        return save(image) + (why.empty()
                                  ? QString()
                                  : tr("; drawn from above by Qt's painter: %1").arg(QString::fromStdString(why)));
    });
}

void ViewerWindow::save_video()
{
    auto& playback = viewer_->playback();
    if (!viewer_->snapshot()) return show_message(tr("Nothing is shown"));
    if (!viewer_->session().is_complete()) return show_message(tr("The trace is still being read"));
    const auto& file = viewer_->session().traces().front().file;
    const auto rate = std::clamp(playback.rate(), 0.001, 1000.0);
    VideoDialog dialog({.whole = *extent_of(*viewer_->session().channels()),
                        .section = playback.section(),
                        .rate = rate,
                        .scene = shown_size(),
                        .window = size(),
                        .file = offered_name(file, QStringLiteral(".mp4"))},
                       this);
    if (dialog.exec() != QDialog::Accepted) return;
    const auto request = dialog.request();
    if (request.whole_window) return save_window_video(request);
    auto video = scene_video_of(*viewer_);
    video.scene = scene_now();
    video.times = request.times;
    video.size = request.size;
    run_job(tr("Export %1").arg(QFileInfo(request.target.file).fileName()),
            [video = std::move(video), request](const std::stop_token& stop, JobProgress& progress) {
                const auto output = create_video(request.target);
                const auto result = write_video(video, *output, stop, [&](std::uint64_t frames) {
                    progress = static_cast<double>(frames) / static_cast<double>(request.target.frames);
                });
                auto line = video_summary(request.times, result.frames, request.target.file);
                if (!result.why_painted.empty())
                    line +=
                        tr("; drawn from above by Qt's painter: %1").arg(QString::fromStdString(result.why_painted));
                return line;
            });
}

/// The section, or everything.
void ViewerWindow::save_page()
{
    if (!viewer_->snapshot()) return show_message(tr("Nothing is shown"));
    if (!viewer_->session().is_complete()) return show_message(tr("The trace is still being read"));
    auto page = scene_page_of(*viewer_);
    if (const auto& section = viewer_->playback().section()) page.section = *section;
    page.dark = scene_->state().options.theme == Theme::dark;
    auto& marks = *findChild<MarksPanel*>();
    page.marks = marks.list().rows();
    page.event_options = marks.event_options();
    const auto output = QFileDialog::getSaveFileName(
        this, tr("Export %1 as web page").arg(section_text(page.section)),
        offered_name(viewer_->session().traces().front().file, QStringLiteral(".html")), tr("Web pages (*.html)"));
    if (output.isEmpty()) return;
    run_job(tr("Export %1").arg(QFileInfo(output).fileName()),
            [page, output](const std::stop_token& stop, JobProgress& progress) {
                progress = -1;
                const auto written = write_page(page, output.toStdString(), true, stop, {});
                return page_summary(written, output);
            });
}

/// The window plays the section meanwhile.
void ViewerWindow::save_window_video(const VideoRequest& request)
try {
    auto* const dialog = new QProgressDialog(tr("Export %1").arg(QFileInfo(request.target.file).fileName()), tr("Stop"),
                                             0, static_cast<int>(request.target.frames), this);
    dialog->setObjectName(QStringLiteral("export_progress"));
    dialog->setWindowModality(Qt::WindowModal);
    dialog->setMinimumDuration(0);
    dialog->setAutoClose(false);
    dialog->setAutoReset(false);
    dialog->setValue(0);
    const auto before = viewer_->shown_time();
    auto* const video = new WindowVideo(*this, request.times, false, create_video(request.target), dialog);
    connect(dialog, &QProgressDialog::canceled, video, &WindowVideo::stop);
    connect(video, &WindowVideo::progressed, dialog, [dialog](quint64 frames) {
        if (!dialog->wasCanceled()) dialog->setValue(static_cast<int>(frames));
    });
    connect(video, &WindowVideo::ended, this, [this, dialog, request, before](const QString& problem) {
        viewer_->playback().seek(before);
        show_message(problem.isEmpty() ? video_summary(request.times, request.target.frames, request.target.file)
                                       : problem);
        if (!problem.isEmpty() && !dialog->wasCanceled()) show_failure(dialog->labelText(), problem);
        dialog->deleteLater();
    });
    video->start();
} catch (const std::exception& error) {
    show_failure(tr("Export %1").arg(QFileInfo(request.target.file).fileName()), QString::fromUtf8(error.what()));
}

}  // namespace ositrace::gui
