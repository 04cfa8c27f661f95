// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

#include "lib/trace/frame_verifier.hpp"

namespace ositrace {

/// Of a payload that holds whole frames after a message, up to its end (see length_prefix::may_hold_frames()): the
/// length of that message. Protobuf and FlatBuffers both can be read with bytes after a message. nullopt: it is one
/// message, which may contain frames (an embedded file). Reads at most some times the payload.
[[nodiscard]] std::optional<std::size_t> length_before_frames(Bytes payload, FrameVerifier& verifier);

/// Why the length prefix of such a payload is wrong, if `right` is the result.
[[nodiscard]] Error length_covers_frames(std::size_t length, std::size_t right);

}  // namespace ositrace
