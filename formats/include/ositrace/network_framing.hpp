// SPDX-License-Identifier: MPL-2.0
// Messages in sockets: over TCP each after its length (OSMPCNetworkProxy), over UDP in counted parts (esmini). No
// socket is used here: bytes in, messages out. Offsets in errors count from the first byte of the message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/export.hpp>

namespace ositrace {

/// Assembles the messages of a byte stream: { u32 length in native order, payload }, repeated.
class OSITRACE_API MessageAssembly {
public:
    explicit MessageAssembly(std::size_t max_message_bytes) : max_message_bytes_(max_message_bytes) {}

    /// Memory for the next bytes of the stream: 1 or more, and none of the next message. It grows with the received
    /// bytes, not with the stated length.
    [[nodiscard]] std::span<std::byte> wanted();
    /// `count` bytes were written there; true: the message is complete. Throws Error (limit) for a length beyond the
    /// limit.
    bool filled(std::size_t count);
    /// The message that is complete; the next one begins.
    [[nodiscard]] ByteBuffer take();
    /// Reuses the memory of an earlier message for the next one: new memory costs as much as the bytes. After take().
    void reuse(ByteBuffer memory);

    /// Describes the message that is incomplete if the stream ends here; empty between two messages.
    [[nodiscard]] std::string cut_off() const;

private:
    [[nodiscard]] std::size_t length() const noexcept { return load_le32(prefix_.data()); }

    std::size_t max_message_bytes_;
    std::array<std::byte, 4> prefix_{};
    std::size_t prefix_bytes_ = 0;  ///< of prefix_ that are there
    ByteBuffer payload_;
    std::size_t granted_ = 0;       ///< bytes of the payload that there is room for
    std::size_t memory_bytes_ = 0;  ///< that reuse() brought
};

/// A datagram: { int32 counter, uint32 size, a part of the message }; by default 8192 bytes of the message. Parts are
/// counted from 1; the counter of the last one is negative.
inline constexpr std::size_t datagram_header_bytes = 8;
inline constexpr std::size_t usual_part_bytes = 8192;
/// The largest part: a UDP datagram over IPv4 without the header.
inline constexpr std::size_t max_part_bytes = 65507 - datagram_header_bytes;

/// Divides a message into datagrams. An empty message is one datagram.
class OSITRACE_API MessageParts {
public:
    /// `part_bytes`: of the message in a datagram, at least 1.
    explicit MessageParts(Bytes message, std::size_t part_bytes = usual_part_bytes) noexcept
        : rest_(message), part_bytes_(part_bytes)
    {
    }

    /// The next part: its header and its bytes, which are those of the message. False after the last one.
    bool next(std::array<std::byte, datagram_header_bytes>& header, Bytes& part) noexcept;

private:
    Bytes rest_;
    std::size_t part_bytes_;
    std::int32_t counter_ = 0;  ///< of the part before; negative after the last
};

/// Assembles messages from the datagrams of one sender. A part does not state its message, so parts must arrive in
/// order; but two neighbours after part 1 may be exchanged, and the same datagram twice in a row counts once. Otherwise
/// the message is lost, the rest of it is skipped, and late parts of it do not count again. (Not detected: the loss of
/// the end of a message and of the beginning of the next one, if the counters fit.)
class OSITRACE_API PartAssembly {
public:
    explicit PartAssembly(std::size_t max_message_bytes) : max_message_bytes_(max_message_bytes) {}

    struct Taken {
        bool complete = false;          ///< take() gives the message
        std::vector<std::string> lost;  ///< why a message was lost, for each that was
    };
    /// Adds a datagram. Memory: at most the limit, this datagram and the previous one.
    Taken add(Bytes datagram);
    [[nodiscard]] ByteBuffer take();
    /// Drops an incomplete message (another sender). True: a message was lost.
    bool abandon() noexcept;
    /// How many parts of a message have been added that is not complete: `3 parts`; empty: none, or its loss has been
    /// counted.
    [[nodiscard]] std::string unfinished() const;

private:
    struct Part;
    struct Numbers {
        std::int64_t from = 0, end = 0;
        [[nodiscard]] bool contains(std::int64_t number) const noexcept { return from <= number && number < end; }
    };

    bool take_in_turn(Taken& taken, Bytes datagram);
    void lose(Taken& taken, std::string why, Numbers late, bool last);
    [[nodiscard]] std::string out_of_turn(std::int64_t number) const;
    [[nodiscard]] bool is_begun() const noexcept { return next_ > 1; }

    std::size_t max_message_bytes_;
    ByteBuffer message_;
    std::vector<std::byte> before_;  ///< the datagram before this one, where it was one of several parts
    std::int64_t next_ = 1;          ///< number of the part that is due
    bool early_ = false;             ///< before_ is the part after that one
    bool passing_over_ = false;      ///< the rest of a message that is lost
    Numbers late_;                   ///< parts of the message lost last that may still come
    bool began_late_ = false;        ///< the message that is begun may be that message: its loss has been counted
};

}  // namespace ositrace
