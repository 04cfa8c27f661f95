// SPDX-License-Identifier: MPL-2.0
// What detected things have in common: a header with a tracking id, candidates for their classification, and a point of
// reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lib/picture/base.hpp"
#include "lib/picture/fields.hpp"

namespace ositrace::picture {

/// The element of `candidate` with the highest probability among the first hundred; the first one of equals.
[[nodiscard]] std::optional<MessageView> most_probable_candidate(const MessageView& detected);
/// header.tracking_id, or `place` without one.
[[nodiscard]] ThingId tracking_id_of(const MessageView& detected, std::size_t place);
/// From the point whose place `base.position` is to the centre of the box, in the frame of the thing:
/// DetectedMovingObject.ReferencePoint determines the point.
[[nodiscard]] Vector from_reference_point(const MessageView& detected, Vector size);
/// read_base() of a DetectedMovingObject, with the centre of its box.
[[nodiscard]] std::optional<Base> read_detected_base(const MessageView& detected, std::string_view what, Notes& notes);

}  // namespace ositrace::picture
