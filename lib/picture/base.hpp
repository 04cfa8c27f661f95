// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string_view>

#include "lib/picture/layer_builder.hpp"

namespace ositrace::picture {

/// The contents of BaseMoving and BaseStationary, in the coordinates of the message.
struct Base {
    Vector position;  ///< of the centre of the box
    Orientation orientation;
    Vector size;  ///< length, width, height
    bool has_size = false;
    std::optional<Vector> velocity;  ///< as in the message: its numbers may be NaN or infinite
};

/// The field `base` of a thing. nullopt if it has no valid place: then the `what` is counted in the notes with the
/// reason. A thing without a size gets a small one.
[[nodiscard]] std::optional<Base> read_base(const MessageView& thing, std::string_view field, std::string_view what,
                                            Notes& notes);
/// The same from the message itself: BaseMoving, BaseStationary, BoundingBox.
[[nodiscard]] std::optional<Base> base_of(const std::optional<MessageView>& from, std::string_view what, Notes& notes);

/// Places a base in the picture: sets centre, size, rotation and velocity of the thing. Returns false and counts the
/// thing if it is too far away.
bool place_thing(Thing& thing, const Base& base, const Placement& placement, std::string_view what, Notes& notes);

/// A place on or in the box of a thing, given in halves of its size: {-1, 1, 0} is the middle of its left rear edge.
[[nodiscard]] Point place_on(const Thing& thing, Vector halves) noexcept;

/// An arrow from the centre to where the thing is in a second, if it moves and the arrow can be drawn.
void add_velocity(LayerBuilder& to, Look look = Look::velocity);

}  // namespace ositrace::picture
