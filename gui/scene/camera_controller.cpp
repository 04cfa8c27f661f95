// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/camera_controller.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::gui {

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double radians_per_pixel = 0.006;
constexpr double start_distance = 32;  // metres behind the host
constexpr double start_pitch = 0.42;
constexpr double bird_share = 2.2;     // the bird's eye begins further away

bool is_number(const GlobalPoint& place) noexcept
{
    return std::isfinite(place[0]) && std::isfinite(place[1]) && std::isfinite(place[2]);
}

struct Extent {
    GlobalPoint least{1e300, 1e300, 1e300};
    GlobalPoint most{-1e300, -1e300, -1e300};
    void add(const Point& point) noexcept
    {
        for (std::size_t i = 0; i < 3; ++i) {
            if (!std::isfinite(point[i])) return;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            least[i] = std::min(least[i], static_cast<double>(point[i]));
            most[i] = std::max(most[i], static_cast<double>(point[i]));
        }
    }
    [[nodiscard]] bool empty() const noexcept { return least[0] > most[0]; }
};

/// What moves is looked at rather than the map it moves on.
const Thing* something_moving(const Picture& picture, Extent& extent)
{
    const Thing* found = nullptr;
    for (const auto& layer : picture.layers) {
        for (const auto& thing : layer->things) {
            if (thing.key.category != Category::moving_object && thing.key.category != Category::detected_moving_object) continue;
            extent.add(thing.centre);
            if (!found) found = &thing;
        }
    }
    return found;
}

Extent extent_of_all(const Picture& picture)
{
    Extent extent;
    for (const auto& layer : picture.layers) {
        for (const auto& thing : layer->things) extent.add(thing.centre);
    }
    for (const auto& cloud : picture.clouds) {
        const auto step = std::max<std::size_t>(cloud->points.size() / 1000, 1);
        for (std::size_t i = 0; i < cloud->points.size(); i += step) extent.add(cloud->points[i]);
    }
    return extent;
}

}  // namespace

void CameraController::set_camera(const Camera& camera) noexcept
{
    if (!is_number(camera.target) || !std::isfinite(camera.yaw) || !std::isfinite(camera.pitch) || !std::isfinite(camera.distance)) return;
    camera_ = camera;
    camera_.distance = std::clamp(camera.distance, nearest, farthest);
    placed_ = true;
}

void CameraController::set_view(View view) noexcept
{
    if (camera_.view == view) return;
    camera_.view = view;
    camera_.distance = std::clamp(view == View::bird ? camera_.distance * bird_share : camera_.distance / bird_share, nearest, farthest);
    if (view == View::bird) {
        camera_.yaw = follow_ == Follow::pose && last_pose_ ? last_pose_->yaw : pi / 2;  // north is up
    } else if (host_) {
        camera_.yaw = host_->yaw;
    }
}

void CameraController::note_extent(const Picture& picture)
{
    host_.reset();
    if (picture.host) {
        const Pose pose{to_vector(picture.host->centre) + picture.origin, static_cast<double>(picture.host->rotation[2])};
        if (is_number(pose.place) && std::isfinite(pose.yaw)) host_ = pose;
    }
    if (host_) return;
    Extent extent;
    const auto* moving = something_moving(picture, extent);
    heading_ = moving && std::isfinite(moving->rotation[2]) ? static_cast<double>(moving->rotation[2]) : pi / 2;
    if (extent.empty()) extent = extent_of_all(picture);
    if (extent.empty()) return;
    middle_ = 0.5 * (extent.least + extent.most) + picture.origin;
    reach_ = std::clamp(length(extent.most - extent.least) / 2, 5.0, 2000.0);
}

std::optional<CameraController::Pose> CameraController::pose_of_followed(const Picture& picture) const
{
    if (!followed_) return host_;
    const auto* thing = picture.find(*followed_);
    if (!thing) return std::nullopt;
    const Pose pose{to_vector(thing->centre) + picture.origin, static_cast<double>(thing->rotation[2])};
    return is_number(pose.place) && std::isfinite(pose.yaw) ? std::optional(pose) : std::nullopt;
}

void CameraController::move_along(const Pose& pose) noexcept
{
    auto offset = camera_.target - last_pose_->place;
    if (follow_ == Follow::pose) {
        const double turn = pose.yaw - last_pose_->yaw;
        offset = {std::cos(turn) * offset[0] - std::sin(turn) * offset[1], std::sin(turn) * offset[0] + std::cos(turn) * offset[1], offset[2]};
        camera_.yaw += turn;
    }
    camera_.target = pose.place + offset;
}

void CameraController::take(const Picture& picture)
{
    note_extent(picture);
    const auto pose = pose_of_followed(picture);
    if (!placed_ && (host_ || middle_)) {
        reset();
        placed_ = true;
    } else if (pose && last_pose_ && follow_ != Follow::none) {
        move_along(*pose);
    }
    if (pose) last_pose_ = pose;  // what left the picture is waited for where it was
}

void CameraController::follow(Follow how, std::optional<ThingKey> thing)
{
    follow_ = how;
    if (thing != followed_) last_pose_ = thing ? std::nullopt : host_;
    followed_ = thing;
}

void CameraController::rotate(double dx, double dy) noexcept
{
    camera_.yaw = std::remainder(camera_.yaw - dx * radians_per_pixel, 2 * pi);
    if (camera_.view == View::orbit) camera_.pitch = std::clamp(camera_.pitch + dy * radians_per_pixel, -0.1, pi / 2);
}

void CameraController::pan(double from_x, double from_y, double to_x, double to_y, PixelSize size) noexcept
{
    const ViewTransform view(camera_, camera_.target, size);
    const auto from = view.on_level(from_x, from_y, 0), to = view.on_level(to_x, to_y, 0);
    const double most = 4 * camera_.distance;
    if (from && to && length(*from) < most && length(*to) < most) {
        camera_.target = camera_.target + (*from - *to);
        return;
    }
    // Near the horizon the ground runs away under the mouse: move with the screen.
    const double metres = view.metres_per_pixel() * camera_.distance;
    const Vector ahead{std::cos(camera_.yaw), std::sin(camera_.yaw), 0};
    camera_.target = camera_.target - (metres * (to_x - from_x)) * view.right() + (metres * (to_y - from_y)) * ahead;
}

void CameraController::zoom(double x, double y, double steps, PixelSize size) noexcept
{
    const double before = camera_.distance;
    const ViewTransform view(camera_, camera_.target, size);
    const auto under = view.on_level(x, y, 0);
    camera_.distance = std::clamp(before * std::pow(0.85, steps), nearest, farthest);
    if (!under || length(*under) > 4 * before) return;
    camera_.target = camera_.target + (1 - camera_.distance / before) * *under;
}

void CameraController::walk(double ahead, double left) noexcept
{
    const Vector forward{std::cos(camera_.yaw), std::sin(camera_.yaw), 0}, aside{-std::sin(camera_.yaw), std::cos(camera_.yaw), 0};
    camera_.target = camera_.target + camera_.distance * (ahead * forward + left * aside);
}

void CameraController::focus(const GlobalPoint& place, double metres) noexcept
{
    if (!is_number(place)) return;
    camera_.target = place;
    camera_.distance = std::clamp(3 * (std::isfinite(metres) ? metres : 1) + 4, nearest, farthest);
    placed_ = true;
}

void CameraController::reset()
{
    const double share = camera_.view == View::bird ? bird_share : 1;
    if (host_) {
        camera_.target = host_->place;
        camera_.yaw = camera_.view == View::bird && follow_ != Follow::pose ? pi / 2 : host_->yaw;
        camera_.distance = start_distance * share;
    } else if (middle_) {
        camera_.target = *middle_;
        camera_.yaw = camera_.view == View::bird ? pi / 2 : heading_;
        camera_.distance = std::clamp(1.6 * reach_ * std::max(1.0, share / 1.4), nearest, farthest);
    }
    camera_.pitch = start_pitch;
}

void CameraController::look_at_host()
{
    if (host_) camera_.target = host_->place;
}

}  // namespace ositrace::gui
