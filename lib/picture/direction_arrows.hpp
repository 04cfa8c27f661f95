// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>

#include "lib/picture/layer_builder.hpp"

namespace ositrace::picture {

struct ArrowStyle {
    Look look = Look::centerline;
    float every = 20;     ///< metres along the line
    float length = 1.5F;  ///< m
    float width = 0.12F;  ///< m
    float strength = 1;
    bool backwards = false;
};

/// Arrows along a line of the last added thing that show its direction. Their number is limited, so that the layer has
/// room for things.
void add_direction_arrows(LayerBuilder& to, std::span<const Point> line, const ArrowStyle& style);

}  // namespace ositrace::picture
