// SPDX-License-Identifier: MPL-2.0
// Where a line of sight passes through a box.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include <ositrace/picture.hpp>

#include "gui/render/camera.hpp"

namespace ositrace::gui {

/// The part of a line that is inside of a box: 0 is its begin, 1 its end.
struct InsidePart {
    double enters = 0;
    double leaves = 1;
};

/// Empty: it passes by.
[[nodiscard]] inline std::optional<InsidePart> inside_part(const BoxMark& box, const Vector& begin, const Vector& way)
{
    const auto axes = rotation_axes(box.rotation);
    const auto from = begin - to_vector(box.centre);
    InsidePart part;
    for (std::size_t i = 0; i != axes.size(); ++i) {
        const double at = dot(from, axes[i]), along = dot(way, axes[i]), half = static_cast<double>(box.size[i]) / 2;
        if (along == 0) {
            if (std::abs(at) > half) return std::nullopt;
            continue;
        }
        const double one = (-half - at) / along, other = (half - at) / along;
        part.enters = std::max(part.enters, std::min(one, other));
        part.leaves = std::min(part.leaves, std::max(one, other));
    }
    return part.enters <= part.leaves ? std::optional(part) : std::nullopt;
}

/// How much of the line from `begin` to `end` is inside of the box.
[[nodiscard]] inline double metres_inside(const BoxMark& box, const Vector& begin, const Vector& end)
{
    const auto part = inside_part(box, begin, end - begin);
    return part ? (part->leaves - part->enters) * length(end - begin) : 0;
}

}  // namespace ositrace::gui
