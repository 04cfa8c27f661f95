// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <zmq.h>

#include "lib/net/socket.hpp"

namespace ositrace::net {

/// Messages that ZeroMQ keeps for one peer. Its own 1000 would be gigabytes of lidar.
inline constexpr int queued_messages = 32;

/// A ZeroMQ socket with a context of its own. One thread at a time.
class ZmqSocket {
public:
    /// `type`: ZMQ_PUSH and so on. Not yet bound or connected, so that options may be set.
    ZmqSocket(int type, const NetworkAddress& address);

    void set(int option, int value);
    void set_large(int option, std::int64_t value);
    void subscribe_to_all();
    /// Throws Error (io) saying why not.
    void open(bool bind);

    [[nodiscard]] void* get() const noexcept { return socket_.get(); }
    /// That it is bound to; 0 where it connects.
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// Until `events` (ZMQ_POLLIN, ZMQ_POLLOUT) holds.
    Waited wait(short events, const Deadline& deadline, const std::stop_token& stop);
    /// Gives what is queued this long to be sent, then frees everything.
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
    std::unique_ptr<void, CloseSocket> socket_;  // after its context, which waits for it
    std::uint16_t port_ = 0;
    StoppableWait wait_;
};

/// Owns a message. Neither copied nor moved: ZeroMQ keeps small ones in place.
class ZmqMessage {
public:
    ZmqMessage() noexcept { ::zmq_msg_init(&message_); }
    /// Borrows the bytes of a frame that has an owner for as long as ZeroMQ needs them; copies those of one that has
    /// none.
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
