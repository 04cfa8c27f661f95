// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/payload_header.hpp"

#include <algorithm>
#include <string>

#include <ositrace/message_view.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

// Timestamp{ int64 seconds = 1; uint32 nanos = 2 }
constexpr std::uint32_t seconds_field = 1;
constexpr std::uint32_t nanos_field = 2;

constexpr std::byte version_tag{0x0a};

/// Depth of groups that are skipped.
constexpr int max_group_depth = 100;

std::string text_of_time(std::int64_t seconds, std::int64_t nanos)
{
    return std::to_string(seconds) + " s and " + std::to_string(nanos) + " ns";
}

Nanoseconds in_nanoseconds(std::int64_t seconds, std::int64_t nanos)
{
    if (nanos < 0 || nanos >= nanoseconds_per_second)
        throw Error(Cause::malformed, {.field = "timestamp.nanos"},
                    "found " + std::to_string(nanos) + ", expected less than " + std::to_string(nanoseconds_per_second),
                    Damage::wrong_nanos);
    std::int64_t time = 0;
    if (__builtin_mul_overflow(seconds, nanoseconds_per_second, &time) || __builtin_add_overflow(time, nanos, &time))
        throw Error(Cause::limit, {.field = "timestamp"},
                    text_of_time(seconds, nanos) + " do not fit into 64 bits of nanoseconds");
    return Nanoseconds(time);
}

/// Finding the timestamp reads field after field of a payload that another core has read or unpacked, and each is a
/// cache miss: a prefetch of all overlaps them. Not for large payloads, which are read once only.
void fetch(Bytes payload) noexcept
{
    constexpr std::size_t line_bytes = 64, most_bytes = 16384;
    if (payload.size() > most_bytes) return;
    for (std::size_t at = 0; at < payload.size(); at += line_bytes) __builtin_prefetch(payload.data() + at);
}

/// The fields that `front` contains completely.
Bytes complete_fields(Bytes front) noexcept
{
    const auto* const end = front.data() + front.size();
    const auto* complete = front.data();
    while (complete != end) {
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(complete, end, tag);
        const auto* const next = value == nullptr ? nullptr : wire::skip_field(value, end, tag, max_group_depth);
        if (next == nullptr) break;
        complete = next;
    }
    return front.first(static_cast<std::size_t>(complete - front.data()));
}

}  // namespace

std::optional<Nanoseconds> timestamp_of(Bytes payload, const Channel& channel)
{
    if (!channel.type || channel.root == nullptr) return std::nullopt;
    const auto field = row_of(*channel.type).timestamp_field;
    if (field == 0) return std::nullopt;
    if (channel.format.encoding == Encoding::protobuf) fetch(payload);
    const auto timestamp = MessageView(payload, *channel.root, channel.format).message(field);
    if (!timestamp) return std::nullopt;
    return in_nanoseconds(timestamp->integer(seconds_field).value_or(0), timestamp->integer(nanos_field).value_or(0));
}

std::optional<OsiVersion> osi_version_of(Bytes payload, const Channel& channel)
{
    if (!channel.type || channel.root == nullptr) return std::nullopt;
    const auto version =
        MessageView(payload, *channel.root, channel.format).message(row_of(*channel.type).version_field);
    return version ? std::optional(version_in(*version)) : std::nullopt;
}

OsiVersion version_in(const MessageView& interface_version)
{
    // InterfaceVersion{ uint32 version_major = 1; uint32 version_minor = 2; uint32 version_patch = 3 }
    const auto part = [&](std::uint32_t number) {
        return static_cast<std::uint32_t>(interface_version.integer(number).value_or(0));
    };
    return {part(1), part(2), part(3)};
}

bool has_timestamp(const Channel& channel) noexcept
{
    return channel.type && row_of(*channel.type).timestamp_field != 0;
}

Bytes leading_version(Bytes payload) noexcept
{
    constexpr std::size_t longest = 0x7f;
    if (payload.size() < 2 || payload.front() != version_tag) return {};
    const auto length = std::to_integer<std::size_t>(payload[1]);
    return length > longest || payload.size() - 2 < length ? Bytes() : payload.first(2 + length);
}

bool may_state_another_version(Bytes payload, const Channel& channel, Bytes known) noexcept
{
    if (channel.format.encoding != Encoding::protobuf || row_of(*channel.type).version_field != 1) return true;
    if (payload.empty() || payload.front() != version_tag) return false;
    return known.empty() || payload.size() < known.size() || !std::ranges::equal(payload.first(known.size()), known);
}

std::optional<Nanoseconds> timestamp_in_front(Bytes front, const Channel& channel) noexcept
{
    return readable_timestamp(channel.format.encoding == Encoding::protobuf ? complete_fields(front) : front, channel);
}

std::optional<Nanoseconds> readable_timestamp(Bytes payload, const Channel& channel) noexcept
try {
    return timestamp_of(payload, channel);
} catch (const std::exception&) {
    return std::nullopt;
}

std::optional<Nanoseconds> osi_time_of(const Frame& frame, const Channel& channel) noexcept
{
    return frame.time ? frame.time : readable_timestamp(frame.bytes, channel);
}

}  // namespace ositrace
