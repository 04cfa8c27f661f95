// SPDX-License-Identifier: MPL-2.0
// Exports: the section as a trace, a message as JSON, a video, a web page.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QSize>
#include <QSpinBox>
#include <QStandardPaths>
#include <QString>
#include <QVBoxLayout>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "gui/export/background_job.hpp"
#include "gui/export/trace_export.hpp"
#include "gui/marks/marks_panel.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/text/quantity.hpp"
#include "gui/video/scene_video.hpp"
#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"
#include "gui/web/scene_page.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/window_video.hpp"

namespace ositrace::gui {

struct VideoRequest {
    bool whole_window = false;
    VideoTimes times;
    VideoTarget target;
    QSize size;  ///< of the scene; a window keeps its own
};

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

/// Of the container and the encoding, without compression: `.mcap` of `RUN.MCAP`; `.osi` if the name states neither.
QString extension_of(const std::filesystem::path& file)
{
    const auto stated = trace_extension(file.native());
    if (!stated) return QStringLiteral(".osi");
    return QString::fromUtf8(stated->encoding ? row_of(*stated->encoding).file_extension : stated->container.extension);
}

constexpr int least_pixels = 16, most_pixels = 16384;

QSpinBox* pixel_box(const char* name, int pixels)
{
    auto* const box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(least_pixels, most_pixels);
    box->setValue(pixels);
    return box;
}

QLineEdit* line(const char* name, const QString& text)
{
    auto* const edit = new QLineEdit(text);
    edit->setObjectName(QLatin1String(name));
    return edit;
}

QString section_text(const TimeSection& section)
{
    return QStringLiteral("%1 to %2")
        .arg(seconds_text(section.from, std::chrono::milliseconds(1)),
             seconds_text(section.to, std::chrono::milliseconds(1)));
}

/// Asks for what a video shows and where it is written.
class VideoDialog : public QDialog {
public:
    /// What the fields contain at first.
    struct Offer {
        TimeSection whole;
        std::optional<TimeSection> section;  ///< selected on the timeline
        double rate = 1;
        QSize scene, window;
        QString file;
    };
    explicit VideoDialog(const Offer& offer, QWidget* parent = nullptr);
    /// Valid after the dialog was accepted.
    [[nodiscard]] VideoRequest request() const;

private:
    void build();
    void update_summary();
    void choose_file();
    void ask_to_replace();
    [[nodiscard]] std::optional<VideoTimes> times() const;
    [[nodiscard]] QString problem() const;

    Offer offer_;
    QComboBox* what_ = nullptr;
    QComboBox* section_ = nullptr;
    QLineEdit* fps_ = nullptr;
    QLineEdit* rate_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QLineEdit* file_ = nullptr;
    QLabel* summary_ = nullptr;
    QDialogButtonBox* buttons_ = nullptr;
};

VideoDialog::VideoDialog(const Offer& offer, QWidget* parent) : QDialog(parent), offer_(offer)
{
    setObjectName(QStringLiteral("video_dialog"));
    setWindowTitle(tr("Export a video"));
    build();
    update_summary();
}

void VideoDialog::build()
{
    what_ = new QComboBox;
    what_->setObjectName(QStringLiteral("video_what"));
    what_->addItem(tr("Scene"), false);
    what_->addItem(tr("Whole window"), true);
    section_ = new QComboBox;
    section_->setObjectName(QStringLiteral("video_section"));
    if (offer_.section) section_->addItem(tr("Section: %1").arg(section_text(*offer_.section)), true);
    section_->addItem(tr("Everything: %1").arg(section_text(offer_.whole)), false);
    fps_ = line("video_fps", QStringLiteral("30"));
    rate_ = line("video_rate", QString::number(offer_.rate));
    rate_->setToolTip(tr("Trace seconds per second of the video: 1 is real time, 0.1 slow motion"));
    width_ = pixel_box("video_width", offer_.scene.width());
    height_ = pixel_box("video_height", offer_.scene.height());
    file_ = line("video_file", offer_.file);
    file_->setMinimumWidth(320);
    file_->setToolTip(
        tr("A file .mp4, .mkv, .mov or .webm, which ffmpeg encodes; or a folder, or a pattern such as "
           "scene_%04d.png, for PNG files"));
    auto* const choose = new QPushButton(tr("Choose..."));
    connect(choose, &QPushButton::clicked, this, &VideoDialog::choose_file);
    summary_ = new QLabel;
    summary_->setObjectName(QStringLiteral("video_summary"));
    summary_->setWordWrap(true);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons_->button(QDialogButtonBox::Ok)->setText(tr("Export"));

    auto* const size = new QHBoxLayout;
    size->addWidget(width_);
    size->addWidget(new QLabel(QStringLiteral("x")));
    size->addWidget(height_);
    size->addStretch(1);
    auto* const file = new QHBoxLayout;
    file->addWidget(file_, 1);
    file->addWidget(choose);
    auto* const form = new QFormLayout;
    form->addRow(tr("Show"), what_);
    form->addRow(tr("Time"), section_);
    form->addRow(tr("Frames per second"), fps_);
    form->addRow(tr("Speed"), rate_);
    form->addRow(tr("Size"), size);
    form->addRow(tr("File or folder"), file);
    auto* const all = new QVBoxLayout(this);
    all->addLayout(form);
    all->addWidget(summary_);
    all->addWidget(buttons_);

    connect(what_, &QComboBox::currentIndexChanged, this, [this] {
        const bool is_window = what_->currentData().toBool();
        const auto shown = is_window ? offer_.window : offer_.scene;
        width_->setValue(shown.width());
        height_->setValue(shown.height());
        width_->setEnabled(!is_window);
        height_->setEnabled(!is_window);
    });
    connect(section_, &QComboBox::currentIndexChanged, this, &VideoDialog::update_summary);
    for (auto* const each : {fps_, rate_, file_})
        connect(each, &QLineEdit::textChanged, this, &VideoDialog::update_summary);
    connect(buttons_, &QDialogButtonBox::accepted, this, &VideoDialog::ask_to_replace);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

std::optional<VideoTimes> VideoDialog::times() const
{
    const auto fps = parse_frames_per_second(fps_->text().trimmed().toStdString());
    const auto rate = parse_video_rate(rate_->text().trimmed().toStdString());
    if (!fps || !rate) return std::nullopt;
    return VideoTimes{.section = section_->currentData().toBool() ? *offer_.section : offer_.whole,
                      .frames_per_second = *fps,
                      .rate = *rate};
}

/// Why the video cannot be written; empty: nothing is wrong.
QString VideoDialog::problem() const
{
    const auto wanted = times();
    if (!parse_frames_per_second(fps_->text().trimmed().toStdString()))
        return tr("Frames per second: a number from 0.01 to 1000, or 30000/1001");
    if (!wanted) return tr("Speed: a number from 0.001 to 1000");
    if (wanted->count() > VideoTimes::max_frames)
        return tr("More than %1. Select a section, a higher speed or fewer frames per second.")
            .arg(count_text(VideoTimes::max_frames, "frame"));
    if (file_->text().isEmpty() || file_->text() == QLatin1String("-")) return tr("Choose a file or a folder");
    if (const auto why = why_no_video_name(file_->text()); !why.isEmpty()) return why;
    if (needs_ffmpeg(file_->text()) && QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty())
        return tr("ffmpeg, which encodes videos, is not in PATH. Install it, or write PNG files into a folder.");
    return {};
}

void VideoDialog::update_summary()
{
    const auto why = problem();
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(why.isEmpty());
    if (!why.isEmpty()) return summary_->setText(why);
    const auto wanted = *times();
    const auto frames = wanted.count();
    summary_->setText(tr("%1, %2 s of video")
                          .arg(count_text(frames, "frame"))
                          .arg(static_cast<double>(frames) / wanted.frames_per_second, 0, 'f', 2));
}

void VideoDialog::choose_file()
{
    const auto file = QFileDialog::getSaveFileName(this, tr("Save the video"), file_->text(),
                                                   tr("Videos (*.mp4 *.mkv *.mov *.webm);;PNG files (*.png)"), nullptr,
                                                   QFileDialog::DontConfirmOverwrite);
    if (!file.isEmpty()) file_->setText(file);
}

void VideoDialog::ask_to_replace()
{
    const std::filesystem::path file = QFile::encodeName(file_->text()).toStdString();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return accept();
    const auto question = std::filesystem::is_directory(file, ignored)
                              ? tr("%1 exists. Replace the frames in it?").arg(file_->text())
                              : tr("%1 exists. Replace it?").arg(file_->text());
    if (QMessageBox::question(this, windowTitle(), question) == QMessageBox::Yes) accept();
}

VideoRequest VideoDialog::request() const
{
    const auto wanted = *times();
    return {.whole_window = what_->currentData().toBool(),
            .times = wanted,
            .target = {.file = file_->text(),
                       .frames_per_second = fps_->text().trimmed(),
                       .frames = wanted.count(),
                       .overwrite = true},
            .size = {width_->value(), height_->value()}};
}

}  // namespace

void ViewerWindow::connect_export_commands()
{
    commands_->on(Command::export_section, [this] { save_section(); });
    commands_->on(Command::export_json, [this] { save_json(); });
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
    const auto of = only_channel ? QString::fromStdString(channel.name) : QFile::decodeName(file.filename().c_str());
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
             name = std::filesystem::path(QFile::encodeName(output).toStdString())](const std::stop_token& stop,
                                                                                    JobProgress& progress) {
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

/// The section, or everything.
void ViewerWindow::save_page()
{
    if (!viewer_->snapshot()) return show_message(tr("Nothing is shown"));
    if (!viewer_->session().is_complete()) return show_message(tr("The trace is still being read"));
    auto page = scene_page_of(*viewer_);
    if (const auto& section = viewer_->playback().section()) page.section = *section;
    page.dark = scene_->state().options.theme == Theme::dark;
    page.marks = findChild<MarksPanel*>()->list().rows();
    const auto output = QFileDialog::getSaveFileName(
        this, tr("Export %1 as web page").arg(section_text(page.section)),
        offered_name(viewer_->session().traces().front().file, QStringLiteral(".html")), tr("Web pages (*.html)"));
    if (output.isEmpty()) return;
    run_job(tr("Export %1").arg(QFileInfo(output).fileName()),
            [page, output](const std::stop_token& stop, JobProgress& progress) {
                progress = -1;
                const auto written = write_page(page, QFile::encodeName(output).toStdString(), true, stop, {});
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
