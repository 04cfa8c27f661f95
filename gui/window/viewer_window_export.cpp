// SPDX-License-Identifier: MPL-2.0
// Exports: the section as a trace, a message as JSON, a video.
#include <algorithm>
#include <string>
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProgressDialog>

#include <ositrace/error.hpp>

#include "gui/export/background_job.hpp"
#include "gui/export/trace_export.hpp"
#include "gui/export/video_dialog.hpp"
#include "gui/quantity.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/video/scene_video.hpp"
#include "gui/video/window_video.hpp"
#include "gui/window/viewer_window.hpp"

namespace ositrace::gui {

namespace {

constexpr Nanoseconds title_step = std::chrono::milliseconds(1);

/// `drive_part.osi`, beside the trace if its folder can be written: with the extension of its container.
QString offered_name(const std::filesystem::path& file, const QString& added)
{
    const QFileInfo info(QFile::decodeName(file.c_str()));
    if (file.string().find("://") != std::string::npos) return QStringLiteral("live") + added;  // of a live source
    const auto name = info.fileName();
    const auto dot = name.indexOf(QLatin1Char('.'), 1);
    const auto base = dot < 0 ? name : name.left(dot);
    // Of a trace on a disk that is only read, or in a folder that is gone: where a person's own files are.
    const bool is_writable = QFileInfo(info.path()).isWritable();
    return (is_writable ? info.dir() : QDir::home()).filePath(base + added);
}

/// With the extension of the trace; `.osi` if it is one that is only read, or none.
QString extension_of(const std::filesystem::path& file)
{
    const auto name = QFileInfo(QFile::decodeName(file.c_str())).fileName();
    for (const auto* const each : {".osi", ".osifb", ".mcap", ".txth", ".jsonl"})
        if (name.endsWith(QLatin1String(each))) return QLatin1String(each);
    return QStringLiteral(".osi");
}

}  // namespace

void ViewerWindow::connect_export_commands()
{
    commands_->on(Command::export_section, [this] { save_section(); });
    commands_->on(Command::export_json, [this] { save_json(); });
    commands_->on(Command::export_video, [this] { save_video(); });
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

/// Of the file of the active channel; its times are shifted if traces are aligned.
void ViewerWindow::save_section()
{
    auto& session = viewer_->session();
    if (session.channels()->empty()) return show_message(tr("Nothing is open"));
    const auto& channel = (*session.channels())[session.active()];
    if (!session.traces()[channel.trace_number].whole) return show_message(tr("The trace is still being read"));
    const auto& file = channel.trace->info().file;
    const auto& section = viewer_->playback().section();
    const auto output = QFileDialog::getSaveFileName(
        this,
        section ? tr("Export %1 to %2 of %3")
                      .arg(seconds_text(section->from, title_step), seconds_text(section->to, title_step),
                           QFile::decodeName(file.filename().c_str()))
                : tr("Export all of %1 (I and O select a section)").arg(QFile::decodeName(file.filename().c_str())),
        offered_name(file, QStringLiteral("_part") + extension_of(file)),
        tr("Traces (*.osi *.osifb *.mcap *.txth *.jsonl *.osi.zst *.osifb.zst *.osi.lz4 *.osifb.lz4);;All files (*)"));
    if (output.isEmpty()) return;
    std::optional<TimeSpan> span;
    if (section) span = TimeSpan{shifted(section->from, -channel.shift), shifted(section->to, -channel.shift)};
    std::vector<std::filesystem::path> inputs;
    for (const auto& each : session.traces())
        if (each.is_file()) inputs.push_back(each.file);
    run_job(
        tr("Export %1").arg(QFileInfo(output).fileName()),
        [trace = channel.trace, span, inputs, name = std::filesystem::path(QFile::encodeName(output).toStdString())](
            const std::stop_token& stop, JobProgress& progress) {
            return export_section(*trace, span, name, inputs, stop, [&](double part) { progress = part; });
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
            [snapshot, active, name = std::filesystem::path(QFile::encodeName(output).toStdString())](
                const std::stop_token&, JobProgress& progress) {
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
                        .scene = (views_->is_split() ? static_cast<const QWidget&>(*views_) : *scene_).size(),
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
