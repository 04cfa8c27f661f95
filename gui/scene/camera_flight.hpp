// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>

#include "gui/render/camera.hpp"

namespace ositrace::gui {

/// The way from a camera to another one, which may move on meanwhile. Independent of widgets and clocks.
class CameraFlight {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::milliseconds duration{300};

    CameraFlight(const Camera& from, Time begun) noexcept : from_(from), begun_(begun) {}
    [[nodiscard]] bool has_ended(Time now) const noexcept { return now - begun_ >= duration; }
    /// Between two views it tilts in 3D, until it looks straight down or no longer does.
    [[nodiscard]] Camera at(Time now, const Camera& to) const noexcept;

private:
    Camera from_;
    Time begun_;
};

}  // namespace ositrace::gui
