// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cerrno>
#include <limits>

#include "formats/core/message_limit.hpp"
#include "lib/net/receiver.hpp"
#include "lib/net/zmq_socket.hpp"

namespace ositrace::net {

namespace {

/// The largest message in either encoding. ZeroMQ silently and permanently disconnects a peer that announces a larger
/// one, so our own lower limit is applied to received messages.
constexpr std::int64_t longest_message = std::numeric_limits<std::int32_t>::max();

class ZmqReceiver final : public Receiver {
public:
    ZmqReceiver(int type, const NetworkAddress& address, ReceiverOptions options)
        : options_(std::move(options)), socket_(type, address)
    {
        socket_.set_large(ZMQ_MAXMSGSIZE, longest_message);
        if (type == ZMQ_SUB) socket_.subscribe_to_all();
        socket_.open(receiver_listens(address));
    }

    std::uint16_t port() const override { return socket_.port(); }
    std::uint64_t bytes() const noexcept override { return bytes_; }
    bool receive(Received& message, const std::stop_token& stop) override;

private:
    bool receive_part(ZmqMessage& message, const std::stop_token& stop);

    ReceiverOptions options_;
    ZmqSocket socket_;
    std::uint64_t bytes_ = 0;
};

bool ZmqReceiver::receive(Received& message, const std::stop_token& stop)
{
    while (true) {
        const auto first = std::make_shared<ZmqMessage>();
        if (!receive_part(*first, stop)) return false;
        message = {first->bytes(), first, bytes_};
        bytes_ += message.bytes.size();
        if (!first->more() && message.bytes.size() <= options_.max_message_bytes) return true;
        if (!first->more()) {
            const auto bytes = message.bytes.size();
            options_.lost("length " + std::to_string(bytes) + exceeds_limit(bytes, options_.max_message_bytes), 1);
            continue;
        }
        int parts = 1;
        ZmqMessage part;
        do {
            if (!receive_part(part, stop)) return false;
            bytes_ += part.bytes().size();
            ++parts;
        } while (part.more());
        options_.lost("a message of " + std::to_string(parts) + " parts, expected 1: the payload", 1);
    }
}

bool ZmqReceiver::receive_part(ZmqMessage& message, const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        if (::zmq_msg_recv(message.get(), socket_.get(), ZMQ_DONTWAIT) >= 0) return true;
        if (zmq_errno() == EAGAIN)
            socket_.wait(ZMQ_POLLIN, std::nullopt, stop);
        else if (zmq_errno() != EINTR)
            socket_.fail("receive");
    }
    return false;
}

}  // namespace

std::unique_ptr<Receiver> make_zmq_pull(const NetworkAddress& address, const ReceiverOptions& options)
{
    return std::make_unique<ZmqReceiver>(ZMQ_PULL, address, options);
}

std::unique_ptr<Receiver> make_zmq_sub(const NetworkAddress& address, const ReceiverOptions& options)
{
    return std::make_unique<ZmqReceiver>(ZMQ_SUB, address, options);
}

}  // namespace ositrace::net
