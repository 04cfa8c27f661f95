// SPDX-License-Identifier: MPL-2.0
// Which trace time each frame of a video shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ositrace/timeline.hpp>

namespace ositrace::gui {

struct VideoTimes {
    static constexpr std::uint64_t max_frames = 1'000'000;

    TimeSection section;            ///< the first frame shows `from`; no frame shows `to` or a later time
    double frames_per_second = 30;  ///< of the video
    double rate = 1;                ///< trace seconds per second of the video

    /// from + frame * rate / frames_per_second, rounded to nanoseconds. Each frame is computed from the start, so that
    /// nothing drifts.
    [[nodiscard]] Nanoseconds time(std::uint64_t frame) const noexcept;
    /// The number of frames; more than max_frames: at least that many.
    [[nodiscard]] std::uint64_t count() const noexcept;
};

/// `30`, `29.97`, `30000/1001`: from 0.01 to 1000. Empty for anything else.
[[nodiscard]] std::optional<double> parse_frames_per_second(std::string_view text) noexcept;
/// `0.1`, `2`: from 0.001 to 1000. Empty for anything else.
[[nodiscard]] std::optional<double> parse_video_rate(std::string_view text) noexcept;

}  // namespace ositrace::gui
