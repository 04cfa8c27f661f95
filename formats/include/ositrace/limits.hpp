// SPDX-License-Identifier: MPL-2.0
// How long a message may be, and how deep it may nest.
#pragma once

#include <cstddef>

namespace ositrace {

/// The limit of both encodings is 2^31 - 1 bytes per message.
inline constexpr std::size_t max_encodable_bytes = 0x7fff'ffff;
/// The default limit for one message, in and out. A flat message can be three times as large as its Protobuf form.
inline constexpr std::size_t default_max_message_bytes = std::size_t{512} << 20;
/// As deep as libprotobuf goes.
inline constexpr int max_message_depth = 100;

}  // namespace ositrace
