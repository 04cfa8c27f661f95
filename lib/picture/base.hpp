// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string_view>

#include "lib/picture/layer_builder.hpp"

namespace ositrace::picture {

/// What BaseMoving and BaseStationary say, in the coordinates of the message.
struct Base {
    Vector position;  ///< of the centre of the box
    Orientation orientation;
    Vector size;  ///< length, width, height
    bool has_size = false;
    std::optional<Vector> velocity;  ///< as it is said: a number of it may be none
};

/// The field `base` of a thing. Of what has no place, nullopt: then the `what` is counted in the notes, with what is
/// wrong. What has no size is small.
[[nodiscard]] std::optional<Base> read_base(const MessageView& thing, std::string_view field, std::string_view what,
                                            Notes& notes);
/// The same of the message that says it: BaseMoving, BaseStationary, BoundingBox.
[[nodiscard]] std::optional<Base> base_of(const std::optional<MessageView>& from, std::string_view what, Notes& notes);

/// Places a base in the picture: fills centre, size, rotation and velocity of the thing. False, and counted,
/// where it is too far.
bool place_thing(Thing& thing, const Base& base, const Placement& placement, std::string_view what, Notes& notes);

/// A place on or in the box of a thing, given in halves of its size: {-1, 1, 0} is the middle of its left rear edge.
[[nodiscard]] Point place_on(const Thing& thing, Vector halves) noexcept;

/// From the centre to where the thing is in a second, where it moves and that can be drawn.
void add_velocity(LayerBuilder& to, Look look = Look::velocity);

}  // namespace ositrace::picture
