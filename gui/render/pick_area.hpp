// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <optional>

#include "gui/render/camera.hpp"
#include "gui/render/gl.hpp"
#include "gui/render/pick.hpp"
#include "gui/render/shader_program.hpp"
#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

/// The pixels around the mouse, as a volume in space. Decides without OpenGL which shapes may be visible in it: the
/// others need not be drawn for picking. False positives are possible, false negatives are not; true for coordinates
/// that are not numbers.
class PickArea {
public:
    /// A square of `side` pixels around a pixel.
    PickArea(const ViewTransform& view, double x, double y, int side) noexcept;
    /// Checks its body and its edges.
    [[nodiscard]] bool may_show(const BoxMark& box, float pixel_ratio) const noexcept;
    /// Includes everything within `around` metres of it.
    [[nodiscard]] bool may_show(const Segment& segment, float around) const noexcept;
    [[nodiscard]] bool may_show_triangle(const Point& a, const Point& b, const Point& c) const noexcept;

private:
    using Plane = std::array<double, 4>;
    /// A ball, enlarged by `pixels` on the screen.
    [[nodiscard]] bool may_show_ball(const Vector& centre, double radius, double pixels) const noexcept;

    std::array<Plane, 4> sides_{};  ///< positive inside, in metres
    Plane depth_{};
    double metres_per_pixel_;
};

/// The pixels around the mouse, drawn again with ids of things instead of colours.
class PickBuffer {
public:
    static constexpr int side = 9;  ///< pixels

    PickBuffer();
    /// Redirects drawing to this buffer and sets the part of the view that it shows.
    void begin(DrawContext& context, double x, double y) const;
    /// The thing nearest to the centre; a surface only if nothing smaller is near.
    [[nodiscard]] std::optional<Pick> read(const Picture& picture, const ViewTransform& view, double x, double y) const;

private:
    RenderBuffer things_;
    RenderBuffer depth_;
    FrameBufferName frame_;
};

}  // namespace ositrace::gui
