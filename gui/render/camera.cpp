// SPDX-License-Identifier: MPL-2.0
#include "gui/render/camera.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::gui {

Matrix operator*(const Matrix& a, const Matrix& b) noexcept
{
    Matrix product;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            for (int k = 0; k < 4; ++k) product(row, column) += a(row, k) * b(k, column);
        }
    }
    return product;
}

std::array<Vector, 3> rotation_axes(const std::array<float, 3>& roll_pitch_yaw) noexcept
{
    const double cr = std::cos(static_cast<double>(roll_pitch_yaw[0])),
                 sr = std::sin(static_cast<double>(roll_pitch_yaw[0]));
    const double cp = std::cos(static_cast<double>(roll_pitch_yaw[1])),
                 sp = std::sin(static_cast<double>(roll_pitch_yaw[1]));
    const double cy = std::cos(static_cast<double>(roll_pitch_yaw[2])),
                 sy = std::sin(static_cast<double>(roll_pitch_yaw[2]));
    return {Vector{cy * cp, sy * cp, -sp}, Vector{cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
            Vector{cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
}

namespace {

constexpr double bird_height = 3000;  // metres above and below the target that the bird's eye view shows

Matrix world_to_eye(const Vector& right, const Vector& up, const Vector& forward, const Vector& eye) noexcept
{
    Matrix view;
    for (int i = 0; i < 3; ++i) {
        const auto k = static_cast<std::size_t>(i);
        view(0, i) = right[k];
        view(1, i) = up[k];
        view(2, i) = -forward[k];
    }
    view(0, 3) = -dot(right, eye);
    view(1, 3) = -dot(up, eye);
    view(2, 3) = dot(forward, eye);
    view(3, 3) = 1;
    return view;
}

}  // namespace

ViewTransform::ViewTransform(const Camera& camera, const GlobalPoint& origin, PixelSize size) noexcept
    : size_{std::max(size.width, 1), std::max(size.height, 1)}, parallel_(camera.view == View::bird)
{
    const double pitch = parallel_ ? std::acos(0.0) : camera.pitch;
    right_ = {std::sin(camera.yaw), -std::cos(camera.yaw), 0};
    forward_ = parallel_ ? Vector{0, 0, -1}
                         : Vector{std::cos(camera.yaw) * std::cos(pitch), std::sin(camera.yaw) * std::cos(pitch),
                                  -std::sin(pitch)};
    up_ = parallel_ ? Vector{std::cos(camera.yaw), std::sin(camera.yaw), 0} : cross(right_, forward_);
    const auto target = camera.target - origin;
    eye_ = target - (parallel_ ? bird_height : camera.distance) * forward_;
    if (parallel_) {
        look_down(camera.distance);
    } else {
        look_through_lens(camera.distance);
    }
}

void ViewTransform::look_through_lens(double distance) noexcept
{
    const double aspect = static_cast<double>(size_.width) / size_.height;
    near_ = std::clamp(distance / 100, 0.1, 5.0);
    far_ = 4000 + 20 * distance;
    half_height_ = std::tan(Camera::field_of_view / 2);
    metres_per_pixel_ = 2 * half_height_ / size_.height;
    Matrix lens;
    lens(0, 0) = 1 / (aspect * half_height_);
    lens(1, 1) = 1 / half_height_;
    lens(2, 2) = -(far_ + near_) / (far_ - near_);
    lens(2, 3) = -2 * far_ * near_ / (far_ - near_);
    lens(3, 2) = -1;
    matrix_ = lens * world_to_eye(right_, up_, forward_, eye_);
}

void ViewTransform::look_down(double distance) noexcept
{
    const double aspect = static_cast<double>(size_.width) / size_.height;
    far_ = 2 * bird_height;
    half_height_ = std::tan(Camera::field_of_view / 2) * distance;
    metres_per_pixel_ = 2 * half_height_ / size_.height;
    Matrix lens;
    lens(0, 0) = 1 / (aspect * half_height_);
    lens(1, 1) = 1 / half_height_;
    lens(2, 2) = -2 / far_;
    lens(2, 3) = -1;
    lens(3, 3) = 1;
    matrix_ = lens * world_to_eye(right_, up_, forward_, eye_);
}

std::optional<ScreenPoint> ViewTransform::project(const Vector& place) const noexcept
{
    std::array<double, 4> clip{};
    for (int row = 0; row < 4; ++row) {
        clip[static_cast<std::size_t>(row)] =
            matrix_(row, 0) * place[0] + matrix_(row, 1) * place[1] + matrix_(row, 2) * place[2] + matrix_(row, 3);
    }
    const double smallest = parallel_ ? 0.5 : near_;
    if (!(clip[3] >= smallest) || !std::isfinite(clip[0]) || !std::isfinite(clip[1])) return std::nullopt;
    return ScreenPoint{(clip[0] / clip[3] + 1) / 2 * size_.width, (1 - clip[1] / clip[3]) / 2 * size_.height,
                       dot(place - eye_, forward_)};
}

std::optional<Vector> ViewTransform::on_level(double x, double y, double z) const noexcept
{
    const double across = (2 * x / size_.width - 1) * half_height_ * size_.width / size_.height;
    const double upwards = (1 - 2 * y / size_.height) * half_height_;
    if (parallel_) {
        auto place = eye_ + across * right_ + upwards * up_;
        place[2] = z;
        return place;
    }
    const auto direction = forward_ + across * right_ + upwards * up_;
    const double along = (z - eye_[2]) / direction[2];
    if (!(along > 0) || !(along < far_)) return std::nullopt;
    return eye_ + along * direction;
}

Vector ViewTransform::at_depth(double x, double y, double buffer_depth) const noexcept
{
    const double across = (2 * x / size_.width - 1) * half_height_ * size_.width / size_.height;
    const double upwards = (1 - 2 * y / size_.height) * half_height_;
    if (parallel_) return eye_ + across * right_ + upwards * up_ + (buffer_depth * far_) * forward_;
    const double device = 2 * buffer_depth - 1;
    const double depth = 2 * far_ * near_ / (far_ + near_ - device * (far_ - near_));
    return eye_ + depth * (forward_ + across * right_ + upwards * up_);
}

double ViewTransform::metres_per_pixel_at(const Vector& place) const noexcept
{
    return parallel_ ? metres_per_pixel_ : metres_per_pixel_ * std::max(dot(place - eye_, forward_), near_);
}

}  // namespace ositrace::gui
