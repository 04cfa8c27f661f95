// SPDX-License-Identifier: MPL-2.0
#include "gui/video/scene_video.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <ositrace/error.hpp>

#include "gui/screenshot/arranged_images.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "gui/viewer/viewer.hpp"

namespace ositrace::gui {

namespace {

/// What a frame of the video shows.
struct FrameContent {
    Nanoseconds time{};
    std::shared_ptr<const Snapshot> snapshot;
};

/// The snapshots of increasing times. Only the last one is kept: the next frame often shows the same messages.
class VideoSnapshots {
public:
    explicit VideoSnapshots(const SceneVideo& video)
        : channels_(video.channels),
          compared_(video.compared),
          trail_(video.scene.trail),
          times_(video.times),
          extent_(video.extent)
    {
    }

    FrameContent of_frame(std::uint64_t frame)
    {
        SnapshotRequest request;
        request.channels = channels_;
        request.time = std::clamp(times_.time(frame), extent_.from, extent_.to);
        request.compared = compared_;
        request.trail = trail_;
        if (!last_ || last_->key.empty() || key_of(request, numbers_at(request)) != last_->key)
            last_ = builder_.build(request);
        return {request.time, last_};
    }

private:
    std::shared_ptr<const OpenChannels> channels_;
    std::shared_ptr<const CompareChoice> compared_;
    Nanoseconds trail_;
    VideoTimes times_;
    TimeSection extent_;
    SnapshotBuilder builder_{0};
    std::shared_ptr<const Snapshot> last_;
};

/// Reads the snapshots of a video on a thread of its own: the next one while a frame is drawn.
class SnapshotsAhead {
public:
    explicit SnapshotsAhead(const SceneVideo& video)
        : snapshots_(video),
          thread_([this, count = video.times.count()](const std::stop_token& stop) { run(count, stop); })
    {
    }

    /// Of frame 0, 1, 2 ... Throws Error (cancelled), and what reading throws.
    FrameContent next(const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return next_ || error_; })) stop_video();
        if (!next_) std::rethrow_exception(error_);
        auto content = *std::exchange(next_, std::nullopt);
        changed_.notify_all();
        return content;
    }

private:
    void run(std::uint64_t count, const std::stop_token& stop)
    try {
        for (std::uint64_t frame = 0; frame != count; ++frame) {
            auto content = snapshots_.of_frame(frame);
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [this] { return !next_; })) return;
            next_ = std::move(content);
            changed_.notify_all();
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        error_ = std::current_exception();
        changed_.notify_all();
    }

    VideoSnapshots snapshots_;  ///< of the thread
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<FrameContent> next_;
    std::exception_ptr error_;
    std::jthread thread_;  ///< the last member, so that it ends first
};

}  // namespace

SceneVideo scene_video_of(Viewer& viewer)
{
    SceneVideo video;
    video.channels = viewer.session().channels();
    video.compared = viewer.compared();
    video.extent = *viewer.playback().extent();
    video.outdated = viewer.outdated();
    video.notes = viewer.session_problems();
    std::vector<std::filesystem::path> files;
    for (const auto& each : viewer.session().traces()) files.push_back(each.file);
    video.files = caption_of(files);
    return video;
}

VideoResult write_video(SceneVideo video, VideoOutput& output, const std::stop_token& stop,
                        const std::function<void(std::uint64_t frames)>& on_progress)
{
    SnapshotsAhead snapshots(video);
    ArrangedImages images(std::move(video.scene), video.size);
    const auto names = names_of(*video.channels);
    const auto count = video.times.count();
    for (std::uint64_t frame = 0; frame != count; ++frame) {
        if (stop.stop_requested()) stop_video();
        const auto [time, snapshot] = snapshots.next(stop);
        const auto image =
            images.draw({.picture = snapshot->picture,
                         .time = time,
                         .files = video.files,
                         .channels = names,
                         .notes = video.notes + snapshot_problems(*snapshot, *video.channels, video.outdated),
                         .marks = marks_of(*snapshot)});
        output.write(image, stop);
        on_progress(frame + 1);
    }
    output.close(stop);
    return {count, images.why_painted()};
}

}  // namespace ositrace::gui
