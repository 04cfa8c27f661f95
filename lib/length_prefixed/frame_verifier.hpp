// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <span>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

#include "formats/transcode/payload_reader.hpp"

namespace ositrace {

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
    /// Can it be read from end to end, and does it begin as every message does, with a version or a time?
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
    /// Do these first bytes of a payload look like a message of this channel?
    [[nodiscard]] bool could_begin(Bytes front) const noexcept;
    /// Learns from a message at the place where one was expected: the last that was verified.
    void accept(Bytes payload);
    /// The same from messages of which each follows the one before. False, and nothing is learned, where one cannot be
    /// read from end to end.
    bool accept_all(std::span<const Bytes> payloads);

private:
    struct Header {
        bool version = false;
        bool time = false;
    };
    void learn_header(Bytes payload);
    [[nodiscard]] static bool has_all_of(const Header& model, const Header& header);
    [[nodiscard]] Header header_of(Bytes payload) const;
    [[nodiscard]] bool has_header(Bytes payload) const;

    Channel channel_;
    PayloadReader reader_;
    ByteBuffer scratch_;
    std::size_t bytes_read_ = 0;        ///< of the last payload
    std::uint64_t unknown_fields_ = 0;  ///< of the last payload
    bool unknown_fields_are_usual_ = false;
    bool header_is_usual_ = true;
    Header last_;
};

}  // namespace ositrace
