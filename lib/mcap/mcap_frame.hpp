// SPDX-License-Identifier: MPL-2.0
// What records of an MCAP file are to the rest of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/records.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

/// A message as a frame; `content` of its record. Throws Error (malformed, limit) with the offset in the content.
[[nodiscard]] Frame mcap_frame(Bytes content, const McapChannels& channels, std::size_t max_message_bytes);

/// MCAP's times are unsigned. Throws Error (limit) beyond int64.
[[nodiscard]] Nanoseconds mcap_time(std::uint64_t time, std::string_view field);

[[nodiscard]] MetadataRecord mcap_metadata(const mcap::Metadata& record);

}  // namespace ositrace
