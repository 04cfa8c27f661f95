// SPDX-License-Identifier: MPL-2.0
// How long a message may be, and how deep it may nest.
#pragma once

#include <cstddef>

namespace ositrace {

/// The largest message of both encodings: 2^31 - 1 bytes.
inline constexpr std::size_t max_encodable_bytes = 0x7fff'ffff;
/// The default of OpenOptions::max_message_bytes and ConvertOptions::max_message_bytes: 512 MiB. The FlatBuffers form
/// of a message can be three times as large as its Protobuf form.
inline constexpr std::size_t default_max_message_bytes = std::size_t{512} << 20;
/// Levels of nested messages below the root: the limit of libprotobuf.
inline constexpr int max_message_depth = 100;

}  // namespace ositrace
