// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <QSize>
#include <QString>
#include <QStringList>

#include "gui/screenshot/arranged_scene.hpp"
#include "gui/session/open_channel.hpp"
#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"

namespace ositrace::gui {

struct CompareChoice;
class Viewer;

/// The scene over time, as the window shows it. Independent of the window: any thread.
struct SceneVideo {
    std::shared_ptr<const OpenChannels> channels;
    std::shared_ptr<const CompareChoice> compared;  ///< null: nothing
    TimeSection extent;                             ///< the first and the last time that the window shows
    std::vector<bool> outdated;                     ///< see Viewer::outdated()
    QStringList notes;                              ///< those that are the same at all times
    QString files;                                  ///< for the caption
    ArrangedScene scene;
    VideoTimes times;
    QSize size;
};

/// The channels, extent, notes of a viewer that has read everything; it must show something.
[[nodiscard]] SceneVideo scene_video_of(Viewer& viewer);

struct VideoResult {
    std::uint64_t frames = 0;
    std::string why_painted;  ///< see SceneImages
};

/// Draws all frames and closes the output. The frames depend on nothing but the arguments. Throws Error: cancelled,
/// and what the output throws.
[[nodiscard]] VideoResult write_video(SceneVideo video, VideoOutput& output, const std::stop_token& stop,
                                      const std::function<void(std::uint64_t frames)>& on_progress);

}  // namespace ositrace::gui
