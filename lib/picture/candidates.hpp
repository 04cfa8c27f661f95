// SPDX-License-Identifier: MPL-2.0
// What detected things have in common: a header with a tracking id, and candidates for their classification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lib/picture/fields.hpp"

namespace ositrace::picture {

/// The element of `candidate` with the highest probability among the first hundred; the first one of equals.
[[nodiscard]] std::optional<MessageView> most_probable_candidate(const MessageView& detected);
/// header.tracking_id, or `place` without one.
[[nodiscard]] ThingId tracking_id_of(const MessageView& detected, std::size_t place);

}  // namespace ositrace::picture
