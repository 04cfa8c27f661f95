// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include <QImage>
#include <QSize>
#include <QString>

namespace ositrace::gui {

struct VideoTimes;

/// The output of a video. One that is destroyed without close() leaves nothing. One thread.
class VideoOutput {
public:
    virtual ~VideoOutput() = default;
    /// The next frame; all have the same size. Throws Error: io, cancelled when `stop` ends waiting.
    virtual void write(const QImage& frame, const std::stop_token& stop) = 0;
    /// The video gets its name. Throws Error: io, exists, cancelled.
    virtual void close(const std::stop_token& stop) = 0;
};

/// Throws Error (cancelled).
[[noreturn]] void stop_video();

struct VideoTarget {
    /// A folder or a pattern (`scene_%04d.png`) of PNG files; `.mp4`, `.mkv`, `.mov`, `.webm`: encoded by ffmpeg, which
    /// must be in PATH; `-`: PNG files one after the other on standard output.
    QString file;
    QString frames_per_second;  ///< as typed: `30000/1001`
    std::uint64_t frames = 0;
    bool overwrite = false;
};

/// Why a name is not that of a video; empty if it is.
[[nodiscard]] QString why_no_video_name(const QString& file);

/// Is it a file that ffmpeg encodes?
[[nodiscard]] bool needs_ffmpeg(const QString& file);

/// Throws Error: exists (without `overwrite`), io (no such directory), unsupported (no ffmpeg).
/// A killed process leaves nothing under the final names, only a hidden `.ositrace-*` beside them, which the next video
/// at that place removes.
[[nodiscard]] std::unique_ptr<VideoOutput> create_video(const VideoTarget& target);

/// `300 frames, 0.000 s to 10.000 s: video.mp4`
[[nodiscard]] QString video_summary(const VideoTimes& times, std::uint64_t frames, const QString& file);

}  // namespace ositrace::gui
