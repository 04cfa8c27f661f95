// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/message_view.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Enough of a payload to find its time in, as every writer known lays it out.
inline constexpr std::size_t payload_front_bytes = 8192;

/// The time from the first bytes of a longer payload; nullopt when it does not stand there in full: then timestamp_of()
/// the whole. (A Protobuf timestamp that is given again behind these bytes is not seen; no known writer does that.)
[[nodiscard]] std::optional<Nanoseconds> timestamp_in_front(Bytes front, const Channel& channel) noexcept;

/// As timestamp_of(), with no time for a payload whose timestamp is broken.
[[nodiscard]] std::optional<Nanoseconds> readable_timestamp(Bytes payload, const Channel& channel) noexcept;

/// What an InterfaceVersion message says.
[[nodiscard]] OsiVersion version_in(const MessageView& interface_version);

}  // namespace ositrace
