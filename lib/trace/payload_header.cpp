// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/payload_header.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <ositrace/message_view.hpp>

#include "formats/protobuf/wire.hpp"
#include "lib/trace/time_notes.hpp"

namespace ositrace {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

// Timestamp{ int64 seconds = 1; uint32 nanos = 2 }
constexpr std::uint32_t seconds_field = 1;
constexpr std::uint32_t nanos_field = 2;

constexpr std::byte version_tag{0x0a};

/// Depth of groups that are skipped.
constexpr int max_group_depth = 100;

/// Where a message without a timestamp has its time; of a repeated field the first element counts.
struct OtherTime {
    MessageType type;
    std::string_view path;
};
constexpr std::array other_times{
    OtherTime{MessageType::sensor_view, "global_ground_truth.timestamp"},
    OtherTime{MessageType::sensor_data, "last_measurement_time"},
    OtherTime{MessageType::sensor_data, "sensor_view.timestamp"},
    OtherTime{MessageType::sensor_data, "sensor_view.global_ground_truth.timestamp"},
};

std::optional<MessageView> message_at(MessageView message, std::string_view path)
{
    while (!path.empty()) {
        const auto dot = std::min(path.find('.'), path.size());
        const auto* const field = message.table().find(path.substr(0, dot));
        path.remove_prefix(std::min(dot + 1, path.size()));
        if (field == nullptr || field->child == nullptr) return std::nullopt;
        std::optional<MessageView> inner;
        if (field->repeated)
            message.for_each_element(*field, [&](const Value& element) {
                inner = std::get<MessageView>(element);
                return false;
            });
        else
            inner = message.message(field->number);
        if (!inner) return std::nullopt;
        message = *inner;
    }
    return message;
}

StatedTime stated_in(const MessageView& timestamp)
{
    return {timestamp.integer(seconds_field).value_or(0), timestamp.integer(nanos_field).value_or(0)};
}

/// Of a message that has a time.
Nanoseconds time_in(const MessageView& timestamp, const Channel& channel)
{
    const auto stated = stated_in(timestamp);
    if (stated.nanos >= nanoseconds_per_second && channel.time_notes)
        channel.time_notes->tell(TimeNotes::Kind::nanos, "a message has " + std::to_string(stated.nanos) +
                                                             " nanos, expected less than " +
                                                             std::to_string(nanoseconds_per_second) +
                                                             ": its time is the sum of seconds and nanos");
    return in_nanoseconds(stated);
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

Nanoseconds in_nanoseconds(const StatedTime& stated)
{
    std::int64_t time = 0;
    if (__builtin_mul_overflow(stated.seconds, nanoseconds_per_second, &time) ||
        __builtin_add_overflow(time, stated.nanos, &time))
        throw Error(Cause::limit, {.field = "timestamp"},
                    std::to_string(stated.seconds) + " s and " + std::to_string(stated.nanos) +
                        " ns do not fit into 64 bits of nanoseconds");
    return Nanoseconds(time);
}

std::optional<StatedTime> stated_time_of(Bytes payload, const Channel& channel)
{
    if (channel.root == nullptr || !has_timestamp(channel)) return std::nullopt;
    const auto timestamp =
        MessageView(payload, *channel.root, channel.format).message(row_of(*channel.type).timestamp_field);
    return timestamp ? std::optional(stated_in(*timestamp)) : std::nullopt;
}

namespace {

/// As timestamp_of(), and where the time is from.
std::optional<MessageTime> stated_message_time(Bytes payload, const Channel& channel)
{
    if (channel.root == nullptr || !has_timestamp(channel)) return std::nullopt;
    if (channel.format.encoding == Encoding::protobuf) fetch(payload);
    const MessageView message(payload, *channel.root, channel.format);
    if (const auto timestamp = message.message(row_of(*channel.type).timestamp_field))
        return MessageTime{time_in(*timestamp, channel), {}};
    for (const auto& other : other_times) {
        if (other.type != *channel.type) continue;
        const auto timestamp = message_at(message, other.path);
        if (!timestamp) continue;
        if (channel.time_notes)
            channel.time_notes->tell(TimeNotes::Kind::elsewhere,
                                     "a message has no timestamp: its time is that of " + std::string(other.path));
        return MessageTime{time_in(*timestamp, channel), other.path};
    }
    return std::nullopt;
}

std::optional<MessageTime> message_time_in_range(Bytes payload, const Channel& channel, const TimeNotes::Place& place)
try {
    return stated_message_time(payload, channel);
} catch (const Error& error) {
    if (error.cause() != Cause::limit) throw;
    if (channel.time_notes)
        channel.time_notes->tell(
            TimeNotes::Kind::unreadable,
            error.reason() + ": the message is kept as one without a time; osiconvert check lists all such", place);
    return std::nullopt;
}

std::optional<Nanoseconds> without_path(const std::optional<MessageTime>& time)
{
    return time ? std::optional(time->time) : std::nullopt;
}

}  // namespace

std::optional<MessageTime> message_time_of(const Frame& frame, const Channel& channel)
{
    return message_time_in_range(frame.bytes, channel, {.frame = frame.index});
}

std::optional<Nanoseconds> time_in_range_of(const Frame& frame, const Channel& channel)
{
    return without_path(message_time_of(frame, channel));
}

std::optional<Nanoseconds> timestamp_of(Bytes payload, const Channel& channel)
{
    return without_path(stated_message_time(payload, channel));
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
try {
    const auto fields = channel.format.encoding == Encoding::protobuf ? complete_fields(front) : front;
    return stated_time_of(fields, channel) ? timestamp_of(fields, channel) : std::nullopt;
} catch (const std::exception&) {
    return std::nullopt;
}

std::optional<Nanoseconds> readable_timestamp(Bytes payload, const Channel& channel,
                                              const TimeNotes::Place& place) noexcept
try {
    return without_path(message_time_in_range(payload, channel, place));
} catch (const std::exception&) {
    return std::nullopt;
}

std::optional<Nanoseconds> osi_time_of(const Frame& frame, const Channel& channel) noexcept
{
    return frame.time ? frame.time : readable_timestamp(frame.bytes, channel, {.frame = frame.index});
}

}  // namespace ositrace
