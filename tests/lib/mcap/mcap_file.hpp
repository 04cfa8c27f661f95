// SPDX-License-Identifier: MPL-2.0
// MCAP files of our own writer, with the parts that a test asks for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ositrace/trace.hpp>

#include "lib/mcap/file_writer.hpp"
#include "tests/lib/text_sink.hpp"

namespace mcap_file {

/// What a test compares: `topic@log_time#sequence:payload`.
inline std::string line_of(const ositrace::Frame& frame, const ositrace::TraceInfo& info)
{
    return info.channels.at(frame.channel).topic + '@' + std::to_string(frame.log_time->count()) + '#' +
           std::to_string(frame.sequence) + ':' + std::string(ositrace::text_of(frame.bytes));
}

inline std::vector<std::string> lines_of(ositrace::FrameSource& source)
{
    std::vector<std::string> lines;
    for (ositrace::Frame frame; source.read(frame);) lines.push_back(line_of(frame, source.info()));
    return lines;
}

struct Message {
    std::uint16_t channel;
    std::uint64_t log_time;
    std::string data;
};

/// Channels 1 (`a`) and 2 (`b`), foreign; messages in this order, metadata `m` and an attachment `map`.
inline std::string write(const std::vector<Message>& messages, const ositrace::mcap::FileOptions& options)
{
    using namespace ositrace;
    TextSink sink;
    mcap::FileWriter writer(sink, {"profile", "library"}, options);
    writer.write(mcap::SchemaFields{1, "Thing", "jsonschema", bytes_of("{}")});
    writer.write(mcap::ChannelFields{1, 1, "a", "json", {}});
    writer.write(mcap::ChannelFields{2, 0, "b", "json", {}});
    writer.write(mcap::Metadata{"m", {{"key", "value"}}});
    mcap::AttachmentFields attachment;
    attachment.name = "map";
    attachment.media_type = "text/plain";
    writer.write(attachment, 4, [](const auto& take) { take(bytes_of("road")); });
    std::uint32_t sequence = 0;
    for (const auto& each : messages)
        writer.write(mcap::Message{each.channel, sequence++, each.log_time, each.log_time, bytes_of(each.data)});
    writer.finish();
    return sink.text;
}

}  // namespace mcap_file
