// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

#include "lib/length_prefixed/frame_verifier.hpp"

namespace ositrace {

/// Does a length in the payload, anywhere after its first byte, lead exactly to its end? Then its own length prefix may
/// be wrong, and cover the next frame, too: Protobuf and FlatBuffers both can be read with bytes after a message. A
/// linear scan, of 15 to 20 GB/s.
[[nodiscard]] bool may_hold_frames(Bytes payload) noexcept;

/// Of a payload that holds whole frames after a message, up to its end: the length of that message. nullopt: it is one
/// message, which may contain frames (an embedded file). Reads at most some times the payload.
[[nodiscard]] std::optional<std::size_t> length_before_frames(Bytes payload, FrameVerifier& verifier);

/// Why the length prefix of such a payload is wrong, if `right` is the result.
[[nodiscard]] Error length_covers_frames(std::size_t length, std::size_t right);

}  // namespace ositrace
