// SPDX-License-Identifier: MPL-2.0
#include "formats/mcap/trailing_message.hpp"

#include <limits>

#include "formats/framing/trailing_length.hpp"
#include "formats/mcap/record_parser.hpp"

namespace ositrace::mcap {

namespace {

constexpr std::size_t front_bytes = record_prefix_bytes + message_front_bytes;

bool is_time(std::uint64_t time) noexcept
{
    return time <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

/// Is a Message record from `place` to `end`?
bool is_message(Bytes data, std::size_t place, std::size_t end, const std::function<bool(std::uint16_t)>& knows_channel)
{
    if (end - place < front_bytes || data[place] != std::byte{static_cast<std::uint8_t>(Opcode::message)}) return false;
    if (prefix_at(data.subspan(place)).length != end - place - record_prefix_bytes) return false;
    const auto message = parse_message(data.subspan(place + record_prefix_bytes, message_front_bytes));
    return knows_channel(message.channel_id) && is_time(message.log_time) && is_time(message.publish_time);
}

}  // namespace

std::optional<std::size_t> first_trailing_message(Bytes data, const std::function<bool(std::uint16_t)>& knows_channel)
{
    // The lower half of a record's length, 8 bytes before what it counts, is a length prefix of 4 bytes less.
    constexpr std::size_t upper_half = sizeof(std::uint32_t);
    if (data.size() <= front_bytes || !length_prefix::may_hold_frames(data.first(data.size() - upper_half)))
        return std::nullopt;
    auto first = data.size();
    for (auto place = data.size() - front_bytes; place != 0; --place)
        if (is_message(data, place, first, knows_channel)) first = place;
    return first == data.size() ? std::nullopt : std::optional(first);
}

}  // namespace ositrace::mcap
