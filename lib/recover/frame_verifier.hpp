// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/trace/prefix_walker.hpp"

namespace ositrace {

/// Does `could_begin` accept the first bytes of the payload of `length` bytes at `offset`? A few bytes reject most
/// places. More are read of the rest, because reading a long payload in vain is expensive.
[[nodiscard]] bool begins_plausibly(SmallReads& reads, std::uint64_t offset, std::uint32_t length,
                                    const auto& could_begin)
{
    constexpr std::array steps{length_prefix::judged_bytes, SmallReads::window_bytes};
    return std::ranges::all_of(
        steps, [&](std::size_t step) { return could_begin(reads.at(offset, std::min<std::size_t>(length, step))); });
}

/// Says whether bytes are a whole message of a channel.
class FrameVerifier {
public:
    /// The channel's root is known.
    explicit FrameVerifier(Channel channel);

    [[nodiscard]] const Channel& channel() const noexcept { return channel_; }
    /// Why the payload cannot be read from end to end; nullopt: it can.
    [[nodiscard]] std::optional<std::string> problem_of(Bytes payload);
    /// Can it be read from end to end, without a field that the schema does not know (unless those that accept() took
    /// have some)?
    [[nodiscard]] bool is_whole(Bytes payload);
    /// Is it surely a message of this channel, wherever it was found: whole, beginning with what every message begins
    /// with, without a field that the schema does not know (unless those that accept() took have some)?
    [[nodiscard]] bool is_surely(Bytes payload);
    /// Has it the version and the time that the last accepted frame had?
    [[nodiscard]] bool has_header_of_last(Bytes payload) const;
    /// Do these first bytes of a payload look like a message of this channel?
    [[nodiscard]] bool could_begin(Bytes front) const noexcept;
    /// Learns from a frame that stands where it ought to: the one that was verified last.
    void accept(Bytes payload);

private:
    struct Header {
        bool version = false;
        bool time = false;
    };
    [[nodiscard]] Header header_of(Bytes payload) const;
    [[nodiscard]] bool has_header(Bytes payload) const;

    Channel channel_;
    Transcoder reader_;
    ByteBuffer scratch_;
    std::uint64_t unknown_fields_ = 0;  ///< of the last payload
    bool unknown_fields_are_usual_ = false;
    bool header_is_usual_ = true;
    Header last_;
};

}  // namespace ositrace
