// SPDX-License-Identifier: MPL-2.0
// Parts of messages that are written forward before their length is known.
#pragma once

#include <cstring>

#include <ositrace/byte_buffer.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

/// The tag of a message, string or bytes.
inline void put_tag(std::uint32_t number, ByteBuffer& out)
{
    auto* const to = out.reserve_back(wire::max_tag_bytes);
    auto* const end = wire::write_varint(to, wire::make_tag(number, wire::length_delimited));
    out.commit_back(static_cast<std::size_t>(end - to));
}

/// The length of all after `start`, between them and what is before.
inline void put_length(std::size_t start, ByteBuffer& out)
{
    const auto length = out.size() - start;
    const auto bytes = static_cast<std::size_t>(wire::varint_size(length));
    out.reserve_back(bytes);
    out.commit_back(bytes);
    auto* const at = out.data() + start;
    std::memmove(at + bytes, at, length);
    wire::write_varint(at, length);
}

}  // namespace ositrace
