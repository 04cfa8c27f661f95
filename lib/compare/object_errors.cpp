// SPDX-License-Identifier: MPL-2.0
#include <ositrace/compare_objects.hpp>

#include <cmath>

namespace ositrace {

namespace {

constexpr std::array<ObjectErrorRow, object_error_count> error_rows{{
    {"distance", "distance", "m", "horizontal distance of the centres"},
    {"longitudinal", "dx", "m", "how far B is ahead of A, along the heading of A"},
    {"lateral", "dy", "m", "how far B is to the left of A"},
    {"vertical", "dz", "m", "how far B is above A"},
    {"yaw", "dyaw", "rad", "how far B is turned to the left of A"},
    {"velocity", "dv", "m/s", "length of the difference of the velocities"},
    {"length", "dlength", "m", "how much longer B is than A"},
    {"width", "dwidth", "m", "how much wider B is than A"},
    {"height", "dheight", "m", "how much higher B is than A"},
}};

/// In (-pi, pi].
double wrapped_angle(double angle) noexcept
{
    const auto wrapped = std::remainder(angle, 2 * std::numbers::pi);
    return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

}  // namespace

const ObjectErrorRow& row_of(ObjectError error) noexcept { return error_rows[static_cast<std::size_t>(error)]; }

ObjectErrors errors_of(const ComparedObject& a, const ComparedObject& b) noexcept
{
    ObjectErrors errors;
    const auto x = b.position[0] - a.position[0], y = b.position[1] - a.position[1];
    const auto cosine = std::cos(a.yaw), sine = std::sin(a.yaw);
    errors[ObjectError::distance] = std::hypot(x, y);
    errors[ObjectError::longitudinal] = x * cosine + y * sine;
    errors[ObjectError::lateral] = y * cosine - x * sine;
    errors[ObjectError::vertical] = b.position[2] - a.position[2];
    errors[ObjectError::yaw] = wrapped_angle(b.yaw - a.yaw);
    if (a.velocity && b.velocity) {
        const auto &u = *a.velocity, &v = *b.velocity;
        errors[ObjectError::velocity] = std::hypot(v[0] - u[0], v[1] - u[1], v[2] - u[2]);
    }
    if (a.size && b.size) {
        errors[ObjectError::length] = (*b.size)[0] - (*a.size)[0];
        errors[ObjectError::width] = (*b.size)[1] - (*a.size)[1];
        errors[ObjectError::height] = (*b.size)[2] - (*a.size)[2];
    }
    return errors;
}

}  // namespace ositrace
