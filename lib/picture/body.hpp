// SPDX-License-Identifier: MPL-2.0
// The body of a thing: the shape of its kind in its box, or the more exact one in BaseMoving and BaseStationary.
#pragma once

#include <optional>

#include "lib/picture/base.hpp"

namespace ositrace::picture {

struct BodyStyle {
    Look look = Look::unknown;
    float strength = 1;
    bool is_detected = false;          ///< only edges and an open polygon: a sensor sees one side
    bool drives = false;               ///< marks its front if its box does not show it
    BodyShape shape = BodyShape::box;  ///< where the message has no more exact one
    float steering = 0;                ///< BoxMark::steering
};

/// Draws the last added thing from its `base`: the parts of bounding_box_section, else the extruded base_polygon if it
/// is more than the rectangle of the box, each with the edges of the box around it; else the shape in the box.
void add_body(LayerBuilder& to, const std::optional<MessageView>& from, const Base& base, const BodyStyle& style);

}  // namespace ositrace::picture
