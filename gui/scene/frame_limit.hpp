// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>

namespace ositrace::gui {

/// Of something that can be switched off: whether it costs too much of the time of each frame.
class FrameLimit {
public:
    static constexpr std::chrono::milliseconds most{20};
    static constexpr int slow_frames = 3;  ///< in a row: a single one may have waited for something else

    [[nodiscard]] bool is_exceeded_by(std::chrono::nanoseconds cost) noexcept
    {
        slow_ = cost > most ? slow_ + 1 : 0;
        if (slow_ < slow_frames) return false;
        slow_ = 0;
        return true;
    }

private:
    int slow_ = 0;
};

}  // namespace ositrace::gui
