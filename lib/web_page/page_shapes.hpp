// SPDX-License-Identifier: MPL-2.0
// The marks of things, rounded: of a whole layer of a map, or of one thing relative to its pose.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ositrace/picture.hpp>

#include "lib/web_page/page_data.hpp"

namespace ositrace::web_page {

using Rotation = std::array<std::array<double, 3>, 3>;  ///< rows

/// Rz(yaw) Ry(pitch) Rx(roll)
[[nodiscard]] Rotation rotation_of(const std::array<float, 3>& roll_pitch_yaw) noexcept;

/// Where a thing is, relative to the origin of the page.
struct Pose {
    std::array<double, 3> centre{};
    Rotation rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

/// Of the origin of a picture.
[[nodiscard]] Pose pose_of(const Picture& picture, const GlobalPoint& page_origin) noexcept;

/// Columns of marks. Places are steps, relative to a pose.
struct Shapes {
    /// Numbers of a box: thing, look, shape, wire only, strength in percent, centre, size, rotation.
    static constexpr std::size_t box_columns = 14, exact_box_columns = 5;
    /// Of a line: thing, look, arrow, width, height, strength in percent, number of points.
    static constexpr std::size_t line_columns = 7;
    /// Of a strip: thing, look, fading, strength in percent, number of points.
    static constexpr std::size_t strip_columns = 5;

    std::array<Steps, box_columns> boxes;
    std::array<Steps, line_columns> lines;
    std::array<Steps, strip_columns> strips;
    std::array<Steps, 3> points;  ///< of the lines, then of the strips

    void add(const BoxMark& box, std::uint32_t thing, const Pose& origin, const Pose& relative_to);
    void add(const LineMark& line, std::uint32_t thing, std::span<const Point> of_line, const Pose& origin,
             const Pose& relative_to);
    void add(const StripMark& strip, std::uint32_t thing, std::span<const Point> of_strip, const Pose& origin,
             const Pose& relative_to);
    [[nodiscard]] bool empty() const noexcept { return boxes[0].empty() && lines[0].empty() && strips[0].empty(); }
    /// Are all marks the same, and all places within a step?
    [[nodiscard]] bool resembles(const Shapes& other) const noexcept;
    void write(PageData& to) const;
};

/// The points of a mark; none if it refers to points that the layer does not have.
[[nodiscard]] std::span<const Point> points_of(const Layer& layer, std::uint32_t first, std::uint32_t count) noexcept;

}  // namespace ositrace::web_page
