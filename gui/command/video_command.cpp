// SPDX-License-Identifier: MPL-2.0
#include "gui/command/video_command.hpp"

#include <utility>

#include <QEventLoop>
#include <QTimer>

#include <ositrace/error.hpp>

#include "gui/command/progress_line.hpp"
#include "gui/command/requested_scene.hpp"
#include "gui/command/requested_section.hpp"
#include "gui/video/scene_video.hpp"
#include "gui/viewer/viewer.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/window_picture.hpp"
#include "gui/window/window_video.hpp"

namespace ositrace::gui {

namespace {

constexpr int signal_check_ms = 50;

/// Shows a time; the viewer must have read everything.
const Picture& picture_at(Viewer& viewer, Nanoseconds time)
{
    viewer.playback().seek(time);
    while (!viewer.snapshot() || !viewer.is_settled()) QEventLoop().processEvents(QEventLoop::WaitForMoreEvents);
    return *viewer.snapshot()->picture;
}

/// The whole trace, or the requested part of it.
VideoTimes times_of(const ViewOptions& options, Viewer& viewer)
{
    const VideoTimes times{.section = requested_section(options, viewer),
                           .frames_per_second = *parse_frames_per_second(options.fps),
                           .rate = options.rate};
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

void print_summary(const ViewOptions& options, const VideoTimes& times)
{
    const bool is_stream = options.video == QLatin1String("-");
    print_line(video_summary(times, times.count(), is_stream ? QStringLiteral("standard output") : options.video),
               is_stream);
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
