// SPDX-License-Identifier: MPL-2.0
#include "gui/video/scene_video.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>

#include "gui/screenshot/arranged_images.hpp"
#include "gui/session/snapshot_builder.hpp"
#include "gui/window/scene_marks.hpp"
#include "gui/window/viewer.hpp"

namespace ositrace::gui {

namespace {

/// The snapshots of increasing times. Only the last one is kept: the next frame often shows the same messages.
class VideoSnapshots {
public:
    explicit VideoSnapshots(const SceneVideo& video)
        : channels_(video.channels), compared_(video.compared), trail_(video.scene.trail)
    {
    }

    const Snapshot& at(Nanoseconds time)
    {
        SnapshotRequest request;
        request.channels = channels_;
        request.time = time;
        request.compared = compared_;
        request.trail = trail_;
        if (!last_ || last_->key.empty() || key_of(request, numbers_at(request)) != last_->key)
            last_ = builder_.build(request);
        return *last_;
    }

private:
    std::shared_ptr<const OpenChannels> channels_;
    std::shared_ptr<const CompareChoice> compared_;
    Nanoseconds trail_;
    SnapshotBuilder builder_{0};
    std::shared_ptr<const Snapshot> last_;
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
    VideoSnapshots snapshots(video);
    ArrangedImages images(std::move(video.scene), video.size);
    const auto names = names_of(*video.channels);
    const auto count = video.times.count();
    for (std::uint64_t frame = 0; frame != count; ++frame) {
        if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped: nothing was written");
        const auto time = std::clamp(video.times.time(frame), video.extent.from, video.extent.to);
        const auto& snapshot = snapshots.at(time);
        const auto image =
            images.draw({.picture = snapshot.picture,
                         .time = time,
                         .files = video.files,
                         .channels = names,
                         .notes = video.notes + snapshot_problems(snapshot, *video.channels, video.outdated),
                         .marks = marks_of(snapshot)});
        output.write(image, stop);
        on_progress(frame + 1);
    }
    output.close(stop);
    return {count, images.why_painted()};
}

}  // namespace ositrace::gui
