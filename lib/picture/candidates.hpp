// SPDX-License-Identifier: MPL-2.0
// What detected things have in common: a header with a tracking id, and candidates for what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lib/picture/fields.hpp"

namespace ositrace::picture {

/// The element of `candidate` with the highest probability, the first of equals; among the first hundred.
[[nodiscard]] std::optional<MessageView> most_probable_candidate(const MessageView& detected);
/// header.tracking_id; `place` where there is none.
[[nodiscard]] ThingId tracking_id_of(const MessageView& detected, std::size_t place);

}  // namespace ositrace::picture
