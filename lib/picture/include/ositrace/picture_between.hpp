// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/picture.hpp>

namespace ositrace {

/// `from` with its road users on their way to their places in `to`: `share` is 0 at `from`, 1 at `to`. Positions are
/// mixed linearly, angles the short way round; the lamps and the velocity of a road user move with it, and the fields
/// of view with the host. Everything else, and road users without an id or
/// without a partner of the same key, stay as they are in `from`. A note says that positions are not those of a
/// message.
[[nodiscard]] std::shared_ptr<const Picture> picture_between(const Picture& from, const Picture& to, double share);

}  // namespace ositrace
