// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_frame.hpp"

#include <limits>
#include <string>

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"

namespace ositrace {

Nanoseconds mcap_time(std::uint64_t time, std::string_view field)
{
    if (time > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error(Cause::limit, {.field = std::string(field)},
                    std::to_string(time) + " ns do not fit into a signed 64-bit number");
    return Nanoseconds(static_cast<std::int64_t>(time));
}

MetadataRecord mcap_metadata(const mcap::Metadata& record)
{
    MetadataRecord result;
    result.name = record.name;
    for (const auto& [key, value] : record.entries)
        result.entries.insert_or_assign(std::string(key), std::string(value));
    return result;
}

Frame mcap_frame(const mcap::Message& message, std::optional<std::uint32_t> channel, std::size_t max_message_bytes)
{
    if (!channel)
        throw Error(
            Cause::malformed, {.offset = 0},
            "a message of the channel " + std::to_string(message.channel_id) + ", which was not declared before");
    if (message.data.size() > max_message_bytes)
        throw Error(Cause::limit, "a message of " + std::to_string(message.data.size()) +
                                      " bytes exceeds the limit of " + std::to_string(max_message_bytes) +
                                      " (--max-message raises it)");
    Frame frame;
    frame.bytes = message.data;
    frame.channel = *channel;
    frame.log_time = mcap_time(message.log_time, "log_time");
    frame.publish_time = mcap_time(message.publish_time, "publish_time");
    frame.sequence = message.sequence;
    return frame;
}

}  // namespace ositrace
