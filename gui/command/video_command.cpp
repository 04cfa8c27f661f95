// SPDX-License-Identifier: MPL-2.0
#include "gui/command/video_command.hpp"

#include <cstdio>
#include <utility>

#include <unistd.h>

#include <QEventLoop>
#include <QTimer>

#include <ositrace/error.hpp>

#include "gui/command/requested_scene.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/text/quantity.hpp"
#include "gui/video/scene_video.hpp"
#include "gui/viewer/viewer.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/window_picture.hpp"
#include "gui/window/window_video.hpp"

namespace ositrace::gui {

namespace {

constexpr int signal_check_ms = 50;  // for a signal

/// On a terminal: `frame 12 of 300`.
class ProgressLine {
public:
    explicit ProgressLine(std::uint64_t count) : count_(count), is_shown_(isatty(STDERR_FILENO) == 1) {}
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine()
    {
        if (is_shown_) std::fputs("\r\033[K", stderr);
    }
    void show(std::uint64_t frames) const
    {
        if (is_shown_)
            std::fprintf(stderr, "\rframe %llu of %llu", static_cast<unsigned long long>(frames),
                         static_cast<unsigned long long>(count_));
    }

private:
    std::uint64_t count_;
    bool is_shown_;
};

/// Waits until everything is read. Throws Error (io): what opening a file throws, or if there is nothing to show.
void wait_until_read(Viewer& viewer, const HeldSignals& held)
{
    QTimer wakes;  // a signal is no event
    wakes.start(signal_check_ms);
    auto& session = viewer.session();
    while (!session.is_complete()) {
        held.refuse_any();
        if (session.all_opened()) refuse_unopened(session);
        QEventLoop().processEvents(QEventLoop::WaitForMoreEvents);
    }
    refuse_unopened(session);
    if (viewer.playback().can_play()) return;
    const auto problems = viewer.problems();
    throw Error(Cause::io,
                problems.empty() ? "no message to show" : "no message to show: " + problems.front().toStdString());
}

/// Shows a time; the viewer must have read everything.
const Picture& picture_at(Viewer& viewer, Nanoseconds time)
{
    viewer.playback().seek(time);
    while (!viewer.snapshot() || !viewer.is_settled()) QEventLoop().processEvents(QEventLoop::WaitForMoreEvents);
    return *viewer.snapshot()->picture;
}

/// A bound of `--time A..B`.
Nanoseconds bound_of(const std::string& text, Viewer& viewer)
{
    const auto time = parse_time(text, {*viewer.playback().extent(), viewer.zero_time()});
    if (!time) throw Error(Cause::mismatch, "--time: '" + text + "' cannot be shown: this trace has no calendar time");
    if (const auto* const number = std::get_if<std::uint64_t>(&*time)) {
        const auto& channel = (*viewer.session().channels())[viewer.session().active()];
        return channel.time_of(*number);
    }
    return std::get<Nanoseconds>(*time);
}

/// The whole trace, or the requested part of it.
VideoTimes times_of(const ViewOptions& options, Viewer& viewer)
{
    const auto whole = *extent_of(*viewer.session().channels());
    VideoTimes times{
        .section = whole, .frames_per_second = *parse_frames_per_second(options.fps), .rate = options.rate};
    if (const auto typed = split_section(options.time)) {
        if (!typed->from.empty()) times.section.from = bound_of(typed->from, viewer);
        if (!typed->to.empty()) times.section.to = bound_of(typed->to, viewer);
    }
    const auto text = [](const TimeSection& section) {
        return (seconds_text(section.from) + QStringLiteral(" to ") + seconds_text(section.to)).toStdString();
    };
    const TimeSection common{std::max(times.section.from, whole.from), std::min(times.section.to, whole.to)};
    if (times.section.from >= whole.to || times.section.to <= whole.from)
        throw Error(Cause::mismatch, "--time: " + options.time + " is outside of the trace, " + text(whole));
    if (common.from >= common.to)
        throw Error(Cause::usage, "--time: " + options.time + " is empty: B must be later than A");
    if (common != times.section) print_error("--time: shortened to the times of the trace, " + text(whole));
    times.section = common;
    if (times.count() > VideoTimes::max_frames)
        throw Error(Cause::usage, "the video would have more than " + std::to_string(VideoTimes::max_frames) +
                                      " frames. Use --time A..B, a higher --rate or a lower --fps.");
    return times;
}

VideoTarget target_of(const ViewOptions& options, const VideoTimes& times)
{
    return {.file = options.video,
            .frames_per_second = QString::fromStdString(options.fps),
            .frames = times.count(),
            .overwrite = options.overwrite};
}

/// To standard output, unless that is the video.
void print_summary(const ViewOptions& options, const VideoTimes& times)
{
    const bool is_stream = options.video == QLatin1String("-");
    const auto line =
        video_summary(times, times.count(), is_stream ? QStringLiteral("standard output") : options.video);
    auto* const to = is_stream ? stderr : stdout;
    if (std::fprintf(to, "%s\n", qUtf8Printable(line)) < 0 || std::fflush(to) != 0)
        throw Error(Cause::io, {.file = "standard output"}, "the summary cannot be printed");
}

}  // namespace

void take_video(const ViewOptions& options, const HeldSignals& held)
{
    const auto application = offscreen_application();
    auto scene = arranged_scene(options);
    Viewer viewer;
    viewer.open(paths_of(options.files), options.type);
    wait_until_read(viewer, held);
    const auto times = times_of(options, viewer);
    refuse_colouring(scene.first.state, picture_at(viewer, times.section.from));
    const auto output = create_video(target_of(options, times));
    auto video = scene_video_of(viewer);
    video.scene = std::move(scene);
    video.times = times;
    video.size = options.size;
    for (const auto& note : video.notes) print_error(note.toStdString());
    std::stop_source stop;
    VideoResult result;
    {
        const ProgressLine line(times.count());
        result = write_video(std::move(video), *output, stop.get_token(), [&](std::uint64_t frames) {
            line.show(frames);
            if (held.has_one()) stop.request_stop();
        });
    }
    if (!result.why_painted.empty()) print_error("drawn from above by Qt's painter: " + result.why_painted);
    print_summary(options, times);
}

void take_window_video(ViewerWindow& window, const ViewOptions& options, const HeldSignals& held)
{
    wait_until_read(window.viewer(), held);
    const auto times = times_of(options, window.viewer());
    auto output = create_video(target_of(options, times));
    window.viewer().playback().seek(times.time(0));
    prepare_window_picture(window, options.layout.isEmpty());
    WindowVideo video(window, times, options.layout.isEmpty(), std::move(output));
    QString problem;
    {
        const ProgressLine line(times.count());
        QEventLoop loop;
        QTimer check;
        QObject::connect(&check, &QTimer::timeout, &video, [&] {
            if (held.has_one()) video.stop();
        });
        QObject::connect(&video, &WindowVideo::progressed, &loop, [&](quint64 frames) { line.show(frames); });
        QObject::connect(&video, &WindowVideo::ended, &loop, [&](const QString& why) {
            problem = why;
            loop.quit();
        });
        check.start(signal_check_ms);
        video.start();
        loop.exec();
    }
    if (!problem.isEmpty()) throw Error(Cause::io, problem.toStdString());
    print_summary(options, times);
}

}  // namespace ositrace::gui
