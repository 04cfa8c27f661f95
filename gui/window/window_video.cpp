// SPDX-License-Identifier: MPL-2.0
#include "gui/window/window_video.hpp"

#include <exception>
#include <utility>

#include <QImage>

#include "gui/scene/scene_view.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/window_picture.hpp"

namespace ositrace::gui {

namespace {

constexpr int settle_check_ms = 2;

}  // namespace

WindowVideo::WindowVideo(ViewerWindow& window, const VideoTimes& times, bool resets_camera,
                         std::unique_ptr<VideoOutput> output, QObject* parent)
    : QObject(parent),
      window_(window),
      times_(times),
      resets_camera_(resets_camera),
      output_(std::move(output)),
      count_(times.count())
{
    check_.setInterval(settle_check_ms);
    connect(&check_, &QTimer::timeout, this, &WindowVideo::advance);
}

void WindowVideo::start()
{
    window_.viewer().playback().pause();
    window_.viewer().playback().seek(times_.time(0));
    check_.start();
}

void WindowVideo::stop() { stop_.request_stop(); }

void WindowVideo::advance()
try {
    if (stop_.stop_requested()) return end(tr("stopped: nothing was written"));
    if (!window_.is_settled()) return;
    if (resets_camera_ && !std::exchange(is_placed_, true)) return window_.scene().reset_camera();
    is_placed_ = false;
    output_->write(picture_of(window_), stop_.get_token());
    emit progressed(++frames_);
    if (frames_ != count_) return window_.viewer().playback().seek(times_.time(frames_));
    output_->close(stop_.get_token());
    end({});
} catch (const std::exception& error) {
    end(QString::fromUtf8(error.what()));
}

void WindowVideo::end(const QString& problem)
{
    check_.stop();
    output_.reset();
    emit ended(problem);
}

}  // namespace ositrace::gui
