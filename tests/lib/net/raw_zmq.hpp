// SPDX-License-Identifier: MPL-2.0
// The other end of a ZeroMQ transport, with nothing of the library.
#pragma once

#include <zmq.h>

#include <cstdint>
#include <stdexcept>
#include <string>

class RawZmq {
public:
    explicit RawZmq(int type, int queue = 1000) : context_(::zmq_ctx_new()), socket_(::zmq_socket(context_, type))
    {
        set(ZMQ_LINGER, 0);
        set(ZMQ_RCVTIMEO, 20'000);
        set(ZMQ_SNDTIMEO, 20'000);
        set(ZMQ_SNDHWM, queue);
        set(ZMQ_RCVHWM, queue);
        if (type == ZMQ_SUB) ::zmq_setsockopt(socket_, ZMQ_SUBSCRIBE, "", 0);
    }
    RawZmq(const RawZmq&) = delete;
    RawZmq& operator=(const RawZmq&) = delete;
    ~RawZmq() { close(); }
    void close()
    {
        if (!socket_) return;
        ::zmq_close(socket_);
        ::zmq_ctx_term(context_);
        socket_ = nullptr;
    }
    void set(int option, int value) const { ::zmq_setsockopt(socket_, option, &value, sizeof value); }
    void connect(std::uint16_t port) const
    {
        if (::zmq_connect(socket_, ("tcp://127.0.0.1:" + std::to_string(port)).c_str()) != 0)
            throw std::runtime_error("raw zmq connect");
    }
    [[nodiscard]] std::uint16_t bind() const
    {
        if (::zmq_bind(socket_, "tcp://127.0.0.1:*") != 0) throw std::runtime_error("raw zmq bind");
        char place[100];
        std::size_t size = sizeof place;
        ::zmq_getsockopt(socket_, ZMQ_LAST_ENDPOINT, place, &size);
        const std::string text(place);
        return static_cast<std::uint16_t>(std::stoi(text.substr(text.rfind(':') + 1)));
    }
    void send(const std::string& bytes, bool more = false) const
    {
        if (::zmq_send(socket_, bytes.data(), bytes.size(), more ? ZMQ_SNDMORE : 0) < 0)
            throw std::runtime_error("raw zmq send");
    }
    /// One part; `<nothing>` when none has come for 20 s, `<more>` behind one that another follows.
    [[nodiscard]] std::string receive() const
    {
        zmq_msg_t message;
        ::zmq_msg_init(&message);
        std::string text = "<nothing>";
        if (::zmq_msg_recv(&message, socket_, 0) >= 0) {
            text.assign(static_cast<const char*>(::zmq_msg_data(&message)), ::zmq_msg_size(&message));
            if (::zmq_msg_more(&message)) text += "<more>";
        }
        ::zmq_msg_close(&message);
        return text;
    }
    [[nodiscard]] void* get() const { return socket_; }

private:
    void* context_;
    void* socket_;
};
