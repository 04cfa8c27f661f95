// SPDX-License-Identifier: MPL-2.0
// Camera, and the linear algebra that it needs.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

using Vector = std::array<double, 3>;

inline Vector operator+(const Vector& a, const Vector& b) noexcept { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector operator-(const Vector& a, const Vector& b) noexcept { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector operator*(double s, const Vector& a) noexcept { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vector& a, const Vector& b) noexcept { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vector cross(const Vector& a, const Vector& b) noexcept
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vector& a) noexcept { return std::sqrt(dot(a, a)); }
inline Vector to_vector(const Point& p) noexcept
{
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}
inline Point to_point(const Vector& v) noexcept
{
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// Four columns of four, in the order of OpenGL.
struct Matrix {
    std::array<double, 16> m{};
    [[nodiscard]] double operator()(int row, int column) const noexcept
    {
        return m[static_cast<std::size_t>(4 * column + row)];
    }
    double& operator()(int row, int column) noexcept { return m[static_cast<std::size_t>(4 * column + row)]; }
};

[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b) noexcept;
/// Column vectors of Rz(yaw) Ry(pitch) Rx(roll).
[[nodiscard]] std::array<Vector, 3> rotation_axes(const std::array<float, 3>& roll_pitch_yaw) noexcept;

enum class View : std::uint8_t {
    orbit,  ///< 3D, perspective, about the target
    bird,   ///< straight down, parallel: metres are the same everywhere
};

/// Position and direction of the view. Global coordinates in double: OSI coordinates reach 1e6 m.
struct Camera {
    static constexpr double field_of_view = 0.7853981633974483;  ///< from bottom to top: 45 degrees
    View view = View::orbit;
    GlobalPoint target{};
    double distance = 30;  ///< metres to the target; the bird's eye view shows what a camera at that height would see
    double yaw = 0;  ///< radians: direction of view on the ground; in the bird's eye view, the direction that is up on
                     ///< the screen
    double pitch = 0.5;  ///< radians downwards
    friend bool operator==(const Camera&, const Camera&) = default;
};

struct PixelSize {
    int width = 0;
    int height = 0;
    friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

/// A position on the screen, in pixels from the top left corner.
struct ScreenPoint {
    double x = 0;
    double y = 0;
    double depth = 0;  ///< metres in front of the eye's plane
};

/// Transforms positions relative to `origin` to pixels and back.
class ViewTransform {
public:
    ViewTransform(const Camera& camera, const GlobalPoint& origin, PixelSize size) noexcept;

    /// To clip coordinates.
    [[nodiscard]] const Matrix& matrix() const noexcept { return matrix_; }
    /// Empty for a position behind the eye, or with a coordinate that is not a number.
    [[nodiscard]] std::optional<ScreenPoint> project(const Vector& place) const noexcept;
    /// Where the line of sight through a pixel meets the level `z`; empty above the horizon.
    [[nodiscard]] std::optional<Vector> on_level(double x, double y, double z) const noexcept;
    /// The position at a depth of the OpenGL depth buffer, 0 to 1.
    [[nodiscard]] Vector at_depth(double x, double y, double buffer_depth) const noexcept;
    /// Metres per pixel at a depth of one metre; in the bird's eye view, at every depth.
    [[nodiscard]] double metres_per_pixel() const noexcept { return metres_per_pixel_; }
    /// The same at a position.
    [[nodiscard]] double metres_per_pixel_at(const Vector& place) const noexcept;
    /// Change of the depth in clip coordinates if an object comes closer by a thousandth of its distance; from above,
    /// by 5 cm.
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
    double half_height_ = 0;  ///< half of the visible height: tangent of the angle; in the bird's eye view, metres
    double metres_per_pixel_ = 0;
    Matrix matrix_;
};

}  // namespace ositrace::gui
