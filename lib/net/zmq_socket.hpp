// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <zmq.h>

#include "lib/net/socket.hpp"

namespace ositrace::net {

/// The most messages that ZeroMQ queues for a peer. Its default of 1000 would be gigabytes of lidar data.
inline constexpr int queued_messages = 32;

/// A ZeroMQ socket with a context of its own. One thread at a time.
class ZmqSocket {
public:
    /// `type`: such as ZMQ_PUSH. Not yet bound or connected, so that options can be set.
    ZmqSocket(int type, const NetworkAddress& address);

    void set(int option, int value);
    void set_large(int option, std::int64_t value);
    void subscribe_to_all();
    /// Throws Error (io) with the reason.
    void open(bool bind);

    [[nodiscard]] void* get() const noexcept { return socket_.get(); }
    /// The port it is bound to; 0 if it connects.
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// Waits until it has `events` (ZMQ_POLLIN, ZMQ_POLLOUT).
    Waited wait(short events, const Deadline& deadline, const std::stop_token& stop);
    /// Waits at most this long for queued messages to be sent, then frees everything.
    void close(std::chrono::milliseconds linger) noexcept;
    [[noreturn]] void fail(std::string_view doing) const;

private:
    struct CloseSocket {
        void operator()(void* socket) const noexcept { ::zmq_close(socket); }
    };
    struct EndContext {
        void operator()(void* context) const noexcept;
    };
    [[nodiscard]] std::string endpoint(bool bind) const;

    NetworkAddress address_;
    std::unique_ptr<void, EndContext> context_;
    std::unique_ptr<void, CloseSocket> socket_;  // after its context, whose end waits for the socket
    std::uint16_t port_ = 0;
    StopSocket stopped_;
};

/// Owns a message. Not copyable or movable: ZeroMQ stores small messages in place.
class ZmqMessage {
public:
    ZmqMessage() noexcept { ::zmq_msg_init(&message_); }
    /// Borrows the bytes of a frame that has an owner as long as ZeroMQ needs them; copies the bytes of a frame without
    /// an owner.
    explicit ZmqMessage(const Frame& frame);
    ZmqMessage(const ZmqMessage&) = delete;
    ZmqMessage& operator=(const ZmqMessage&) = delete;
    ~ZmqMessage() { ::zmq_msg_close(&message_); }

    [[nodiscard]] zmq_msg_t* get() noexcept { return &message_; }
    [[nodiscard]] Bytes bytes() noexcept
    {
        return {static_cast<const std::byte*>(::zmq_msg_data(&message_)), ::zmq_msg_size(&message_)};
    }
    [[nodiscard]] bool more() noexcept { return ::zmq_msg_more(&message_) != 0; }

private:
    zmq_msg_t message_;
};

}  // namespace ositrace::net
