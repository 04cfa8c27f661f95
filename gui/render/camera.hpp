// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/picture.hpp>

#include "gui/render/matrix.hpp"

namespace ositrace::gui {

enum class View : std::uint8_t {
    orbit,  ///< 3D, perspective, about the target
    bird,   ///< straight down, parallel: metres are the same everywhere
};

/// Where one looks from. Global coordinates in double: places of OSI reach 1e6 m.
struct Camera {
    static constexpr double field_of_view = 0.7853981633974483;  ///< from bottom to top: 45 degrees
    View view = View::orbit;
    GlobalPoint target{};
    double distance = 30;  ///< metres to the target; the bird's eye shows what a camera in that height would see
    double yaw = 0;        ///< radians: where one looks to on the ground; of the bird's eye, what is up on the screen
    double pitch = 0.5;    ///< radians downwards
    friend bool operator==(const Camera&, const Camera&) = default;
};

struct PixelSize {
    int width = 0;
    int height = 0;
    friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

/// A place on the screen, in pixels from the left top corner.
struct ScreenPoint {
    double x = 0;
    double y = 0;
    double depth = 0;  ///< metres in front of the eye's plane
};

/// From places relative to `origin` to pixels and back.
class ViewTransform {
public:
    ViewTransform(const Camera& camera, const GlobalPoint& origin, PixelSize size) noexcept;

    /// To clip coordinates.
    [[nodiscard]] const Matrix& matrix() const noexcept { return matrix_; }
    /// Empty behind the eye, and for a place that is no number.
    [[nodiscard]] std::optional<ScreenPoint> project(const Vector& place) const noexcept;
    /// Where the line of sight through a pixel meets the level `z`; empty above the horizon.
    [[nodiscard]] std::optional<Vector> on_level(double x, double y, double z) const noexcept;
    /// The place at a depth of the OpenGL depth buffer, 0 to 1.
    [[nodiscard]] Vector at_depth(double x, double y, double buffer_depth) const noexcept;
    /// Metres that a pixel shows at a depth of one metre; of the bird's eye, at every depth.
    [[nodiscard]] double metres_per_pixel() const noexcept { return metres_per_pixel_; }
    /// The same at a place.
    [[nodiscard]] double metres_per_pixel_at(const Vector& place) const noexcept;
    /// What the depth in clip coordinates changes by when something comes nearer by a thousandth of its distance; from
    /// above, by 5 cm.
    [[nodiscard]] double depth_step() const noexcept { return parallel_ ? 0.1 / far_ : 0.002 * near_; }
    [[nodiscard]] const Vector& eye() const noexcept { return eye_; }
    [[nodiscard]] const Vector& right() const noexcept { return right_; }
    [[nodiscard]] const Vector& up() const noexcept { return up_; }
    [[nodiscard]] const Vector& forward() const noexcept { return forward_; }
    [[nodiscard]] PixelSize size() const noexcept { return size_; }
    [[nodiscard]] bool parallel() const noexcept { return parallel_; }

private:
    void look_through_lens(double distance) noexcept;
    void look_down(double distance) noexcept;

    PixelSize size_;
    bool parallel_ = false;
    Vector eye_{}, right_{}, up_{}, forward_{};
    double near_ = 0, far_ = 0;
    double half_height_ = 0;  ///< of what is seen: tangent of the angle, of the bird's eye metres
    double metres_per_pixel_ = 0;
    Matrix matrix_;
};

}  // namespace ositrace::gui
