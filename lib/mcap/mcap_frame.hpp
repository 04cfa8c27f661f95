// SPDX-License-Identifier: MPL-2.0
// What records of an MCAP file are to the rest of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/records.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

/// A message as a frame. `channel`: the place of its channel, which must be known. Throws Error (malformed, limit) with
/// the offset in its record.
[[nodiscard]] Frame mcap_frame(const mcap::Message& message, std::optional<std::uint32_t> channel,
                               std::size_t max_message_bytes);

/// MCAP's times are unsigned. Throws Error (limit) beyond int64.
[[nodiscard]] Nanoseconds mcap_time(std::uint64_t time, std::string_view field);

[[nodiscard]] MetadataRecord mcap_metadata(const mcap::Metadata& record);

}  // namespace ositrace
