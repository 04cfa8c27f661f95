// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

#include "formats/transcode/payload_reader.hpp"

namespace ositrace {

/// Which first bytes a message can have.
using FirstBytes = std::array<bool, 256>;
[[nodiscard]] FirstBytes first_bytes_of(const MessageTable& table, Format format);

/// Decides whether bytes are a whole message of a channel. Learns what the messages of the trace have in common.
class FrameVerifier {
public:
    /// The channel's root is known.
    explicit FrameVerifier(Channel channel);

    [[nodiscard]] const Channel& channel() const noexcept { return channel_; }
    /// Why the payload cannot be read from end to end, with offset and field in it; nullopt: it can.
    [[nodiscard]] std::optional<Error> problem_of(Bytes payload);
    /// How far the last problem_of() read.
    [[nodiscard]] std::size_t bytes_read() const noexcept { return bytes_read_; }
    /// Had that payload fields that the schema does not know, and no accepted one before it?
    [[nodiscard]] bool has_unusual_fields() const noexcept
    {
        return unknown_fields_ != 0 && !unknown_fields_are_usual_;
    }
    /// Can it be read from end to end, without unusual fields?
    [[nodiscard]] bool is_whole(Bytes payload) { return !problem_of(payload) && !has_unusual_fields(); }
    /// Can it be read from end to end, and has it a version or a time, as every message?
    [[nodiscard]] bool is_complete(Bytes payload);
    /// The same of what looks like a message, too.
    [[nodiscard]] bool is_message(Bytes payload);
    /// The same without unusual fields: surely a message of this channel, wherever it was found.
    [[nodiscard]] bool is_surely(Bytes payload) { return is_message(payload) && !has_unusual_fields(); }
    /// Does a FlatBuffer that can be read end before these bytes do, and before any padding? (A Protobuf message has no
    /// end of its own.)
    [[nodiscard]] bool has_bytes_after(Bytes payload);
    /// The length of a FlatBuffer that can be read and has no bytes after it, without its padding.
    [[nodiscard]] std::size_t end_of(Bytes payload);
    [[nodiscard]] bool has_version_and_time(Bytes payload) const;
    /// Does `payload` state a version and a time where `model`, or the last message that was learned from, does?
    [[nodiscard]] bool has_header_of(Bytes model, Bytes payload) const;
    [[nodiscard]] bool has_header_of_last(Bytes payload) const;
    /// Do these first bytes of a payload look like a message of this channel, or like an accepted one that begins with
    /// a field that the schema does not know? Costs little where the first one does not.
    [[nodiscard]] bool could_begin(Bytes front) const noexcept
    {
        return !front.empty() && ((first_bytes_[std::to_integer<std::size_t>(front.front())] && is_plausible(front)) ||
                                  (unknown_front_ && front.size() >= unknown_front_->size() &&
                                   std::equal(unknown_front_->begin(), unknown_front_->end(), front.begin())));
    }
    /// Learns from a message at the place where one was expected: the last that was verified.
    void accept(Bytes payload);
    /// The same from messages of which each follows the one before. False, and nothing is learned, where one cannot be
    /// read from end to end.
    bool accept_all(std::span<const Bytes> payloads);

private:
    [[nodiscard]] bool is_plausible(Bytes front) const noexcept;
    struct Header {
        bool version = false;
        bool time = false;
    };
    void learn(Bytes payload);
    [[nodiscard]] static bool has_all_of(const Header& model, const Header& header);
    [[nodiscard]] Header header_of(Bytes payload) const;
    [[nodiscard]] bool has_header(Bytes payload) const;

    Channel channel_;
    FirstBytes first_bytes_;
    PayloadReader reader_;
    ByteBuffer scratch_;
    std::size_t bytes_read_ = 0;        ///< of the last payload
    std::uint64_t unknown_fields_ = 0;  ///< of the last payload
    bool unknown_fields_are_usual_ = false;
    std::optional<std::array<std::byte, 3>> unknown_front_;  ///< of an accepted payload
    bool header_is_usual_ = true;
    Header last_;
};

}  // namespace ositrace
