// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ositrace/message_view.hpp>
#include <ositrace/trace.hpp>

#include "lib/trace/time_notes.hpp"

namespace ositrace {

/// Enough of a payload to find its time, with all known writers.
inline constexpr std::size_t payload_front_bytes = 8192;

/// A timestamp as a message states it.
struct StatedTime {
    std::int64_t seconds = 0;
    std::int64_t nanos = 0;  ///< OSI: less than 10^9
};
/// Empty when the message has none. Throws Error (malformed).
[[nodiscard]] std::optional<StatedTime> stated_time_of(Bytes payload, const Channel& channel);
/// The sum. Throws Error (limit) beyond 64 bits of nanoseconds.
[[nodiscard]] Nanoseconds in_nanoseconds(const StatedTime& stated);

struct MessageTime {
    Nanoseconds time{};
    std::string_view path;  ///< of the field that has it; empty: the timestamp of the message
};
/// As time_in_range_of(), and where the time is from.
[[nodiscard]] std::optional<MessageTime> message_time_of(const Frame& frame, const Channel& channel);

/// The time from the first bytes of a longer payload; nullopt when they do not contain it: then call timestamp_of() for
/// the whole payload. A second Protobuf timestamp after these bytes is ignored; no known writer writes one.
[[nodiscard]] std::optional<Nanoseconds> timestamp_in_front(Bytes front, const Channel& channel) noexcept;

/// As time_in_range_of(); empty for an invalid timestamp.
[[nodiscard]] std::optional<Nanoseconds> readable_timestamp(Bytes payload, const Channel& channel,
                                                            const TimeNotes::Place& place = {}) noexcept;

/// The OSI time of a frame, from its payload if its reader did not set it; empty without a valid timestamp.
[[nodiscard]] std::optional<Nanoseconds> osi_time_of(const Frame& frame, const Channel& channel) noexcept;

/// The first field of a Protobuf payload, where it is a version: tag, length and value, which are short. Else empty.
[[nodiscard]] Bytes leading_version(Bytes payload) noexcept;

/// Could this message state another OSI version than one that began with `known`? A message that begins with the same
/// version need not be parsed, nor one of Protobuf that begins with another field: writers put fields in the order of
/// their numbers.
[[nodiscard]] bool may_state_another_version(Bytes payload, const Channel& channel, Bytes known) noexcept;

/// The version in an InterfaceVersion message.
[[nodiscard]] OsiVersion version_in(const MessageView& interface_version);

}  // namespace ositrace
