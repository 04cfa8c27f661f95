// SPDX-License-Identifier: MPL-2.0
#include "gui/video/video_output.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

#include <ositrace/error.hpp>
#include <ositrace/pending_output.hpp>

#include "gui/screenshot/png_file.hpp"
#include "gui/text/quantity.hpp"
#include "gui/video/video_times.hpp"

namespace ositrace::gui {

void stop_video() { throw Error(Cause::cancelled, "stopped: nothing was written"); }

namespace {

/// Files `frame_000000.png`, `frame_000001.png` ... in a folder.
struct FramePattern {
    std::filesystem::path folder;
    QString before = QStringLiteral("frame_");
    int digits = 6;
    QString after = QStringLiteral(".png");

    [[nodiscard]] std::filesystem::path name(std::uint64_t frame) const
    {
        const auto number = QStringLiteral("%1").arg(frame, digits, 10, QLatin1Char('0'));
        return (before + number + after).toStdString();
    }
};

/// Empty: it is no pattern of PNG files.
std::optional<FramePattern> pattern_of(const QString& file)
{
    static const QRegularExpression form(QStringLiteral("^([^%]*)%(?:0([1-9]))?d([^%]*\\.[pP][nN][gG])$"));
    const QFileInfo info(file);
    const auto found = form.match(info.fileName());
    if (!found.hasMatch() || info.path().contains(QLatin1Char('%'))) return std::nullopt;
    return FramePattern{info.path().toStdString(), found.captured(1), std::max(1, found.captured(2).toInt()),
                        found.captured(3)};
}

void write_frame(const QByteArray& bytes, const std::filesystem::path& file, const std::filesystem::path& final_name)
{
    QFile out(QString::fromStdString(file.string()));
    const bool is_written =
        out.open(QIODevice::WriteOnly | QIODevice::NewOnly) && out.write(bytes) == bytes.size() && out.flush();
    if (!is_written) throw Error(Cause::io, {.file = final_name}, out.errorString().toStdString());
}

/// PNG files. They are written in a hidden folder and get their names when all are complete.
class PngFrames final : public VideoOutput {
public:
    PngFrames(FramePattern pattern, const VideoTarget& target);
    void write(const QImage& frame, const std::stop_token& stop) override;
    void close(const std::stop_token& stop) override;

private:
    FramePattern pattern_;
    bool overwrite_;
    bool is_new_folder_;  ///< which gets its name as a whole
    std::optional<PendingOutput> hidden_;
    std::uint64_t frames_ = 0;
};

PngFrames::PngFrames(FramePattern pattern, const VideoTarget& target)
    : pattern_(std::move(pattern)),
      overwrite_(target.overwrite),
      is_new_folder_(!std::filesystem::exists(pattern_.folder) && !pattern_of(target.file))
{
    const auto& folder = pattern_.folder;
    if (!is_new_folder_ && !overwrite_)
        for (std::uint64_t frame = 0; frame != target.frames; ++frame)
            refuse_existing(folder / pattern_.name(frame), false);
    hidden_.emplace(is_new_folder_ ? folder : folder / pattern_.name(0), PendingOutput::Kind::folder, !is_new_folder_);
}

void PngFrames::write(const QImage& frame, const std::stop_token&)
{
    const auto name = pattern_.name(frames_++);
    write_frame(fast_png_of(frame), hidden_->path() / name, pattern_.folder / name);
}

void PngFrames::close(const std::stop_token&)
{
    if (is_new_folder_) return hidden_->publish();
    for (std::uint64_t frame = 0; frame != frames_; ++frame) {
        const auto name = pattern_.name(frame);
        refuse_existing(pattern_.folder / name, overwrite_);
        std::error_code failed;
        std::filesystem::rename(hidden_->path() / name, pattern_.folder / name, failed);
        if (failed) throw Error(Cause::io, {.file = pattern_.folder / name}, failed.message());
    }
    // The rest of a longer video that is replaced.
    std::error_code failed;
    for (auto frame = frames_; overwrite_ && std::filesystem::remove(pattern_.folder / pattern_.name(frame), failed);)
        ++frame;
}

/// PNG files one after the other on standard output.
class PngStream final : public VideoOutput {
public:
    void write(const QImage& frame, const std::stop_token&) override
    {
        const auto bytes = fast_png_of(frame);
        const auto size = static_cast<std::size_t>(bytes.size());
        if (std::fwrite(bytes.constData(), 1, size, stdout) != size) fail();
    }
    void close(const std::stop_token&) override
    {
        if (std::fflush(stdout) != 0) fail();
    }

private:
    [[noreturn]] static void fail()
    {
        throw Error(Cause::io, {.file = "standard output"}, std::generic_category().message(errno));
    }
};

/// A file that ffmpeg encodes from raw frames on its standard input.
class EncodedVideo final : public VideoOutput {
public:
    EncodedVideo(QString ffmpeg, const VideoTarget& target);
    ~EncodedVideo() override;
    void write(const QImage& frame, const std::stop_token& stop) override;
    void close(const std::stop_token& stop) override;

private:
    void start(QSize size);
    [[noreturn]] void fail();

    QString ffmpeg_;
    VideoTarget target_;
    std::filesystem::path file_;
    PendingOutput hidden_;
    QProcess process_;
};

constexpr int stop_check_ms = 50;  // for a stop, while ffmpeg is waited for

EncodedVideo::EncodedVideo(QString ffmpeg, const VideoTarget& target)
    : ffmpeg_(std::move(ffmpeg)),
      target_(target),
      file_(target.file.toStdString()),
      hidden_(file_, PendingOutput::Kind::file, target.overwrite)
{
}

EncodedVideo::~EncodedVideo()
{
    if (process_.state() == QProcess::NotRunning) return;
    process_.kill();
    process_.waitForFinished(-1);
}

void EncodedVideo::start(QSize size)
{
    const auto suffix = QFileInfo(target_.file).suffix().toLower();
    const auto format = suffix == QLatin1String("mkv") ? QStringLiteral("matroska") : suffix;
    process_.setStandardOutputFile(QProcess::nullDevice());
    process_.start(ffmpeg_, {"-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "bgr0",
                             "-video_size", QStringLiteral("%1x%2").arg(size.width()).arg(size.height()), "-framerate",
                             target_.frames_per_second, "-i", "pipe:0", "-an",
                             // Players need an even size and this pixel format.
                             "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-f", format,
                             QStringLiteral("file:") + QString::fromStdString(hidden_.path().string())});
    if (!process_.waitForStarted(-1)) fail();
}

void EncodedVideo::write(const QImage& frame, const std::stop_token& stop)
{
    if (process_.program().isEmpty()) start(frame.size());
    const auto raw = frame.convertToFormat(QImage::Format_RGB32);  // blue, green, red, unused
    const auto size = raw.sizeInBytes();
    if (process_.write(reinterpret_cast<const char*>(raw.constBits()), size) != size) fail();
    while (process_.bytesToWrite() > 0) {
        if (stop.stop_requested()) stop_video();
        if (!process_.waitForBytesWritten(stop_check_ms) && process_.state() == QProcess::NotRunning) fail();
        if (process_.error() == QProcess::WriteError) fail();
    }
}

void EncodedVideo::close(const std::stop_token& stop)
{
    process_.closeWriteChannel();
    while (process_.state() != QProcess::NotRunning && !process_.waitForFinished(stop_check_ms))
        if (stop.stop_requested()) stop_video();
    if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0) fail();
    hidden_.publish();
}

void EncodedVideo::fail()
{
    process_.waitForFinished(stop_check_ms);
    const auto lines = QString::fromLocal8Bit(process_.readAllStandardError()).split('\n', Qt::SkipEmptyParts);
    const auto why =
        !lines.isEmpty()                              ? lines.back().trimmed()
        : process_.error() == QProcess::FailedToStart ? process_.errorString()
        : process_.exitStatus() == QProcess::CrashExit
            ? QStringLiteral("it crashed")
            : QStringLiteral("it ended with status %1 before the video was complete").arg(process_.exitCode());
    throw Error(Cause::io, {.file = file_}, "ffmpeg: " + why.toStdString());
}

/// Passes frames to an output on a thread of its own, so that the next frame is drawn meanwhile.
class ThreadedOutput final : public VideoOutput {
public:
    using Create = std::function<std::unique_ptr<VideoOutput>()>;
    /// `create` runs on the thread.
    explicit ThreadedOutput(Create create)
        : thread_([this, create = std::move(create)](const std::stop_token& stop) { run(create, stop); })
    {
        wait({}, [this] { return begun_; });
    }

    void write(const QImage& frame, const std::stop_token& stop) override
    {
        wait(stop, [this] { return waiting_.size() < most_waiting; });
        {
            const std::lock_guard lock(mutex_);
            waiting_.push_back(frame);
        }
        changed_.notify_all();
    }

    void close(const std::stop_token& stop) override
    {
        {
            const std::lock_guard lock(mutex_);
            closes_ = true;
        }
        changed_.notify_all();
        try {
            wait(stop, [this] { return ended_; });
        } catch (const Error&) {
            thread_.request_stop();
            thread_.join();
            if (!closed_) throw;  // else it was just too late to stop
        }
    }

private:
    static constexpr std::size_t most_waiting = 3;

    /// Waits until it is true, or the thread has failed: throws its error.
    template <class Condition>
    void wait(const std::stop_token& stop, Condition is_true)
    {
        std::unique_lock lock(mutex_);
        const bool reached = changed_.wait(lock, stop, [&] { return error_ || is_true(); });
        if (error_) std::rethrow_exception(error_);
        if (!reached) stop_video();
    }

    void run(const Create& create, const std::stop_token& stop)
    {
        try {
            const auto output = create();
            note(begun_);
            while (const auto frame = next(stop)) output->write(*frame, stop);
            if (stop.stop_requested()) stop_video();
            output->close(stop);
            closed_ = true;
        } catch (...) {
            const std::lock_guard lock(mutex_);
            error_ = std::current_exception();
        }
        note(ended_);
    }

    /// Empty: there is none any more.
    std::optional<QImage> next(const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return closes_ || !waiting_.empty(); }) || waiting_.empty())
            return std::nullopt;
        auto frame = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        return frame;
    }

    void note(bool& what)
    {
        {
            const std::lock_guard lock(mutex_);
            what = true;
        }
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<QImage> waiting_;
    bool begun_ = false;
    bool closes_ = false;
    bool ended_ = false;
    bool closed_ = false;  ///< read after the thread has ended
    std::exception_ptr error_;
    std::jthread thread_;  ///< the last member, so that it ends first
};

QString found_ffmpeg(const QString& file)
{
    auto found = QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
    if (found.isEmpty())
        throw Error(Cause::unsupported, {.file = file.toStdString()},
                    "ffmpeg, which encodes videos, is not in PATH. Install it, or write PNG files into a folder.");
    return found;
}

}  // namespace

bool needs_ffmpeg(const QString& file)
{
    static const QStringList suffixes{"mp4", "mkv", "mov", "webm"};
    return suffixes.contains(QFileInfo(file).suffix().toLower());
}

QString why_no_video_name(const QString& file)
{
    if (file == QLatin1String("-") || needs_ffmpeg(file) || pattern_of(file)) return {};
    const auto suffix = QFileInfo(file).suffix().toLower();
    static const QStringList other{"png", "avi", "gif", "mpg", "mpeg", "m4v", "ogv", "wmv", "flv"};
    if (!file.isEmpty() && !file.contains(QLatin1Char('%')) && !other.contains(suffix) &&
        is_png_name(file.toStdString()))
        return {};  // a folder
    return QStringLiteral(
               "'%1' is not the name of a video. Use a folder, a pattern such as scene_%04d.png, or a name such as "
               "scene.mp4 (also .mkv, .mov, .webm).")
        .arg(file);
}

std::unique_ptr<VideoOutput> create_video(const VideoTarget& target)
{
    ThreadedOutput::Create create;
    const std::filesystem::path file = target.file.toStdString();
    if (target.file == QLatin1String("-")) {
        create = [] { return std::make_unique<PngStream>(); };
    } else if (needs_ffmpeg(target.file)) {
        refuse_existing(file, target.overwrite);
        create = [target, ffmpeg = found_ffmpeg(target.file)] {
            return std::make_unique<EncodedVideo>(ffmpeg, target);
        };
    } else {
        const auto folder = (file / "").lexically_normal().parent_path();  // without a slash at its end
        const auto pattern = pattern_of(target.file).value_or(FramePattern{.folder = folder});
        create = [target, pattern] { return std::make_unique<PngFrames>(pattern, target); };
    }
    return std::make_unique<ThreadedOutput>(std::move(create));
}

QString video_summary(const VideoTimes& times, std::uint64_t frames, const QString& file)
{
    return QStringLiteral("%1, %2 to %3: %4")
        .arg(count_text(frames, "frame"), seconds_text(times.section.from), seconds_text(times.section.to), file);
}

}  // namespace ositrace::gui
