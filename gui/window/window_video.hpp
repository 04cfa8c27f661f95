// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include <QObject>
#include <QString>
#include <QTimer>

#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"

namespace ositrace::gui {

class ViewerWindow;

/// A video of the whole window: seeks, waits until everything is drawn, and grabs the window, frame by frame between
/// other events. GUI thread.
class WindowVideo : public QObject {
    Q_OBJECT
public:
    /// `window` must outlive it and have read everything. `resets_camera`: places the camera for each frame alone.
    WindowVideo(ViewerWindow& window, const VideoTimes& times, bool resets_camera, std::unique_ptr<VideoOutput> output,
                QObject* parent = nullptr);
    void start();
    void stop();

signals:
    void progressed(quint64 frames);
    /// Complete, or not: then `problem` is the error.
    void ended(const QString& problem);

private:
    void advance();
    void end(const QString& problem);

    ViewerWindow& window_;
    VideoTimes times_;
    bool resets_camera_;
    bool is_placed_ = false;  ///< the camera, for this frame
    std::unique_ptr<VideoOutput> output_;
    std::stop_source stop_;
    std::uint64_t frames_ = 0;
    std::uint64_t count_ = 0;
    QTimer check_;
};

}  // namespace ositrace::gui
