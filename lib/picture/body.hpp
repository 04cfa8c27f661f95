// SPDX-License-Identifier: MPL-2.0
// The shape of a thing: its box, or what BaseMoving and BaseStationary say more exactly.
#pragma once

#include <optional>

#include "lib/picture/base.hpp"

namespace ositrace::picture {

struct BodyStyle {
    Look look = Look::unknown;
    float strength = 1;
    bool is_detected = false;  ///< edges only, and the polygon is open: a sensor sees one side
    bool drives = false;       ///< says where the front is where its box does not
};

/// Draws the thing added last from its `base`: the parts of bounding_box_section, else the extruded base_polygon where
/// that is more than the rectangle of the box, and the box about them as edges; else the box.
void add_body(LayerBuilder& to, const std::optional<MessageView>& from, const Base& base, const BodyStyle& style);

}  // namespace ositrace::picture
