// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <utility>

#include "lib/picture/element_columns.hpp"

namespace ositrace::picture {

namespace {

/// From the comments of OSI 3.8.0, by the end of a path: `distance` for `position.distance`.
constexpr std::array<std::pair<std::string_view, std::string_view>, 25> units{{
    {"signal_strength", "dB"},
    {"time_of_flight", "s"},
    {"doppler_shift", "Hz"},
    {"source_horizontal_angle", "rad"},
    {"source_vertical_angle", "rad"},
    {"distance", "m"},
    {"azimuth", "rad"},
    {"elevation", "rad"},
    {"position.x", "m"},
    {"position.y", "m"},
    {"position.z", "m"},
    {"position_rmse.x", "m"},
    {"position_rmse.y", "m"},
    {"position_rmse.z", "m"},
    {"velocity.x", "m/s"},
    {"velocity.y", "m/s"},
    {"velocity.z", "m/s"},
    {"height", "m"},
    {"height_rmse", "m"},
    {"intensity", "%"},
    {"echo_pulse_width", "m"},
    {"radial_velocity", "m/s"},
    {"radial_velocity_rmse", "m/s"},
    {"rcs", "dB m²"},
    {"snr", "dB"},
}};

}  // namespace

std::string_view unit_of(std::string_view path) noexcept
{
    for (const auto& [end, unit] : units) {
        if (!path.ends_with(end)) continue;
        if (path.size() == end.size() || path[path.size() - end.size() - 1] == '.') return unit;
    }
    return {};
}

}  // namespace ositrace::picture
