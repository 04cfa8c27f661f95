// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/picture.hpp>

#include "gui/render/camera.hpp"

namespace ositrace::gui {

enum class Follow : std::uint8_t {
    none,
    position,  ///< the camera moves along, and looks where it looked
    pose,      ///< it turns along, too
};

/// A box along the axes, in metres.
struct Extent {
    GlobalPoint least{};
    GlobalPoint most{};
};

/// Moves the camera as hands and pictures say. Knows no widget; pixels are those of `size`.
class CameraController {
public:
    static constexpr double nearest = 0.5;  ///< metres to the target
    static constexpr double farthest = 20000;

    [[nodiscard]] const Camera& camera() const noexcept { return camera_; }
    /// From a layout: the next picture does not move it to the host.
    void set_camera(const Camera& camera) noexcept;
    /// Keeps the target and how much is seen.
    void set_view(View view) noexcept;

    /// A new picture: the first that shows anything places the camera, each moves it along with what it follows.
    void take(const Picture& picture);
    /// Brings what is followed into the middle with the next picture that has it; a camera that turns along looks to
    /// where it heads. `thing` empty: the host; where there is none, all that moves is kept in view.
    void follow(Follow how, std::optional<ThingKey> thing = {});
    [[nodiscard]] Follow follows() const noexcept { return follow_; }
    [[nodiscard]] const std::optional<ThingKey>& followed() const noexcept { return followed_; }

    /// By a drag of so many pixels.
    void rotate(double dx, double dy) noexcept;
    /// What was under the first pixel comes under the second.
    void pan(double from_x, double from_y, double to_x, double to_y, PixelSize size) noexcept;
    /// `steps` of a wheel: positive comes nearer. What is under the pixel stays there.
    void zoom(double x, double y, double steps, PixelSize size) noexcept;
    /// Along and across the direction of view, in shares of the distance.
    void walk(double ahead, double left) noexcept;
    /// Looks at a place, from where something of this size fills a good part of the view.
    void focus(const GlobalPoint& place, double metres) noexcept;
    /// To where the first picture placed it; from where `take` saw the host or the scene last.
    void reset();
    /// To the host, at the distance that is.
    void look_at_host();

private:
    struct Pose {
        GlobalPoint place{};
        double yaw = 0;
    };
    [[nodiscard]] std::optional<Pose> pose_of_followed(const Picture& picture) const;
    void move_along(const Pose& pose) noexcept;
    void note_extent(const Picture& picture);
    void centre_on(const Pose& pose) noexcept;
    void frame_all() noexcept;
    void keep_in_frame(const Extent& before) noexcept;

    Camera camera_;
    bool placed_ = false;
    bool centres_ = false;  ///< what is followed comes into the middle with the next picture that has it
    Follow follow_ = Follow::position;
    std::optional<ThingKey> followed_;
    std::optional<Pose> last_pose_;  ///< of what is followed
    std::optional<Pose> host_;       ///< in the last picture
    std::optional<Extent> extent_;   ///< of what one looks at in the last picture; empty with a host
    std::optional<Extent> moving_;   ///< of all that moves, in the last picture that had any; empty with a host
    double heading_ = 0;             ///< of something that moves there
};

}  // namespace ositrace::gui
