// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/camera_flight.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::gui {

namespace {

constexpr double half_turn = 3.14159265358979323846;

/// The bird's eye view as a camera in 3D that shows the same ground.
Camera as_orbit(Camera camera) noexcept
{
    if (camera.view == View::bird) camera.pitch = half_turn / 2;
    camera.view = View::orbit;
    return camera;
}

double mixed(double from, double to, double share) noexcept { return from + share * (to - from); }

}  // namespace

Camera CameraFlight::at(Time now, const Camera& to) const noexcept
{
    if (has_ended(now)) return to;
    const double passed = std::max(std::chrono::duration<double>(now - begun_) / duration, 0.0);
    const double share = passed * passed * (3 - 2 * passed);  // begins and ends slowly
    const bool from_above = from_.view == View::bird && to.view == View::bird;
    const auto begin = from_above ? from_ : as_orbit(from_), end = from_above ? to : as_orbit(to);
    auto camera = end;
    camera.target = begin.target + share * (end.target - begin.target);
    camera.distance = begin.distance * std::pow(end.distance / begin.distance, share);
    camera.yaw = begin.yaw + share * std::remainder(end.yaw - begin.yaw, 2 * half_turn);
    camera.pitch = mixed(begin.pitch, end.pitch, share);
    return camera;
}

}  // namespace ositrace::gui
