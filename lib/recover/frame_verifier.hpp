// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// Says whether bytes are a whole message of a channel.
class FrameVerifier {
public:
    /// `channel` must outlive it; its root is known.
    explicit FrameVerifier(const Channel& channel);

    /// Why the payload cannot be read from end to end; nullopt: it can.
    [[nodiscard]] std::optional<std::string> problem_of(Bytes payload);
    /// Can it be read from end to end, without a field that the schema does not know (unless those that accept() took have some)?
    [[nodiscard]] bool is_whole(Bytes payload);
    /// Is it surely a message of this channel, wherever it was found: whole, beginning with what every message begins with, without a
    /// field that the schema does not know (unless those that accept() took have some)?
    [[nodiscard]] bool is_surely(Bytes payload);
    /// Has it the version and the time that the last accepted frame had?
    [[nodiscard]] bool has_header_of_last(Bytes payload) const;
    /// Do these first bytes of a payload look like a message of this channel?
    [[nodiscard]] bool could_begin(Bytes front) const noexcept;
    /// Learns from a frame that stands where it ought to.
    void accept(Bytes payload);

private:
    struct Header {
        bool version = false;
        bool time = false;
    };
    [[nodiscard]] Header header_of(Bytes payload) const;
    [[nodiscard]] bool has_header(Bytes payload) const;

    const Channel& channel_;
    Transcoder reader_;
    ByteBuffer scratch_;
    std::uint64_t unknown_fields_ = 0;  ///< of the last payload
    bool unknown_fields_are_usual_ = false;
    bool header_is_usual_ = true;
    Header last_;
};

}  // namespace ositrace
