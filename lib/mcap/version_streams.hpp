// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace::mcap {

/// The channels of a file in the making. A channel states one OSI version: messages of another one go to a channel of
/// their own beside it.
class VersionStreams {
public:
    struct Stream {
        Channel channel;
        std::uint16_t id = 0;
        bool written = false;
        std::string topic = {};       ///< as it was written
        std::uint64_t latest = 0;     ///< of its log times
        bool backward = false;        ///< one without a log time of its own, or of a recording, comes before another
        std::string version = {};     ///< of OSI, as it was written
        bool version_stated = false;  ///< by the channel in the input
        std::vector<std::byte> leading_version = {};    ///< field with which the first payload begins
        std::map<OsiVersion, std::size_t> others = {};  ///< places in others_ of its messages of other versions
    };
    /// What was written of a channel.
    struct Written {
        std::string topic;
        std::map<std::string, std::string> metadata;
    };
    /// Writes a channel, whose first message this is; empty: there is none.
    using Write = std::function<Written(const Stream& stream, Bytes first_payload)>;

    explicit VersionStreams(Write write) : write_(std::move(write)) {}

    /// Throws Error (limit).
    void add(Channel channel);
    /// Where a message goes: to its channel, unless it states another OSI version than the channel has. (What a message
    /// with a log time states, the channel states in the MCAP file that it is from.) Writes the channel first.
    [[nodiscard]] Stream& of(const Frame& frame);
    /// Writes the channels without messages.
    void write_rest();

    [[nodiscard]] const std::vector<VersionChannel>& version_channels() const noexcept { return version_channels_; }
    /// Topics of the channels with Stream::backward.
    [[nodiscard]] std::vector<std::string> backward() const;

private:
    [[nodiscard]] std::uint16_t next_id() const;
    void write(Stream& stream, Bytes first_payload);
    Stream& of_other_version(Stream& stream, const OsiVersion& version);

    Write write_;
    std::vector<Stream> streams_;
    std::deque<Stream> others_;
    std::vector<VersionChannel> version_channels_;
};

}  // namespace ositrace::mcap
