// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/version_streams.hpp"

#include <limits>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_metadata.hpp>

#include "formats/core/message_limit.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace::mcap {

namespace {

constexpr std::size_t max_channels = std::numeric_limits<std::uint16_t>::max();  // ids have 16 bits, and 0 is reserved

}  // namespace

void VersionStreams::add(Channel channel) { streams_.push_back({.channel = std::move(channel), .id = next_id()}); }

std::uint16_t VersionStreams::next_id() const
{
    const auto used = streams_.size() + others_.size();
    if (used == max_channels)
        throw Error(Cause::limit, "the number of channels of an MCAP file" + exceeds(max_channels));
    return static_cast<std::uint16_t>(used + 1);
}

VersionStreams::Stream& VersionStreams::of(const Frame& frame)
{
    auto& stream = streams_.at(frame.channel);
    if (!stream.written) write(stream, frame.bytes);
    if ((frame.log_time && stream.version_stated) || stream.version.empty() ||
        !may_state_another_version(frame.bytes, stream.channel, stream.leading_version))
        return stream;
    const auto version = claimed_osi_version(frame.bytes, stream.channel);
    if (!version || version->to_string() == stream.version) return stream;
    return of_other_version(stream, *version);
}

VersionStreams::Stream& VersionStreams::of_other_version(Stream& stream, const OsiVersion& version)
{
    if (const auto known = stream.others.find(version); known != stream.others.end()) return others_[known->second];
    auto& other = others_.emplace_back(Stream{.channel = stream.channel, .id = next_id()});
    stream.others.emplace(version, others_.size() - 1);
    other.channel.metadata.insert_or_assign(std::string(osi_metadata::channel_osi_version_key), version.to_string());
    write(other, {});
    version_channels_.push_back({other.topic, other.version, stream.topic, stream.version, stream.channel.type_name});
    return other;
}

void VersionStreams::write(Stream& stream, Bytes first_payload)
{
    const auto [topic, metadata] = write_(stream, first_payload);
    stream.written = true;
    stream.topic = topic;
    const std::string key(osi_metadata::channel_osi_version_key);
    if (const auto version = metadata.find(key); stream.channel.root && version != metadata.end())
        stream.version = version->second;
    const auto stated = stream.channel.metadata.find(key);
    stream.version_stated = stated != stream.channel.metadata.end() && stated->second == stream.version;
    const auto leading = leading_version(first_payload);
    stream.leading_version.assign(leading.begin(), leading.end());
}

void VersionStreams::write_rest()
{
    for (auto& stream : streams_)
        if (!stream.written) write(stream, {});
}

std::vector<std::string> VersionStreams::backward() const
{
    std::vector<std::string> topics;
    for (const auto& stream : streams_)
        if (stream.backward) topics.push_back(stream.topic);
    return topics;
}

}  // namespace ositrace::mcap
