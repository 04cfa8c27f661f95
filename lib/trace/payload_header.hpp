// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/message_view.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Enough of a payload to find its time, with all known writers.
inline constexpr std::size_t payload_front_bytes = 8192;

/// The time from the first bytes of a longer payload; nullopt when they do not contain it: then call timestamp_of() for
/// the whole payload. A second Protobuf timestamp after these bytes is ignored; no known writer writes one.
[[nodiscard]] std::optional<Nanoseconds> timestamp_in_front(Bytes front, const Channel& channel) noexcept;

/// As timestamp_of(); empty for an invalid timestamp.
[[nodiscard]] std::optional<Nanoseconds> readable_timestamp(Bytes payload, const Channel& channel) noexcept;

/// The version in an InterfaceVersion message.
[[nodiscard]] OsiVersion version_in(const MessageView& interface_version);

}  // namespace ositrace
