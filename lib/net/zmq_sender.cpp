// SPDX-License-Identifier: MPL-2.0
#include <cerrno>

#include "lib/net/zmq_socket.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::net {

namespace {

/// One message: the payload, or with `?parts=topic` (as PlotJuggler receives it) topic, payload, and time as a text of
/// seconds.
class ZmqParts {
public:
    explicit ZmqParts(const NetworkAddress& address) : topic_(address.topic_parts) {}

    /// False with zmq_errno(): the message was not sent. ZeroMQ accepts all of its parts or none.
    [[nodiscard]] bool send(ZmqSocket& socket, const Frame& frame, const FrameLabel& label) const
    {
        ZmqMessage payload(frame);
        if (!topic_) return ::zmq_msg_send(payload.get(), socket.get(), ZMQ_DONTWAIT) >= 0;
        if (::zmq_send(socket.get(), label.topic.data(), label.topic.size(), ZMQ_DONTWAIT | ZMQ_SNDMORE) < 0)
            return false;
        const auto time = exact_seconds(label.time);
        if (::zmq_msg_send(payload.get(), socket.get(), ZMQ_SNDMORE) < 0 ||
            ::zmq_send(socket.get(), time.data(), time.size(), 0) < 0)
            socket.fail("send");
        return true;
    }

private:
    bool topic_;
};

/// ZeroMQ does not say what it discards after the linger: whoever waited that long has lost something.
bool close_in_time(ZmqSocket& socket, std::chrono::milliseconds linger, const std::stop_token& stop)
{
    const auto begun = std::chrono::steady_clock::now();
    const bool stopped = stop.stop_requested();
    socket.close(stopped ? std::chrono::milliseconds(0) : linger);
    return stopped || std::chrono::steady_clock::now() - begun < linger;
}

/// Never loses a frame: it waits while no receiver is connected, and while the queues of all receivers are full.
class ZmqPush final : public Sender {
public:
    explicit ZmqPush(const NetworkAddress& address) : parts_(address), socket_(ZMQ_PUSH, address)
    {
        socket_.set(ZMQ_IMMEDIATE,
                    1);  // queues for connected peers only: a replay must not fill a queue for none
        socket_.open(sender_listens(address));
    }

    std::uint16_t port() const override { return socket_.port(); }
    std::uint64_t receivers() override
    {
        return socket_.wait(ZMQ_POLLOUT, std::chrono::steady_clock::now(), {}) == Waited::ready ? 1 : 0;
    }
    bool wait_for_receivers(std::uint64_t, const Deadline& deadline, const std::stop_token& stop) override
    {
        return socket_.wait(ZMQ_POLLOUT, deadline, stop) == Waited::ready;
    }
    Sent send(const Frame& frame, const FrameLabel& label, const std::stop_token& stop) override
    {
        while (!parts_.send(socket_, frame, label)) {
            if (zmq_errno() == EINTR) continue;
            if (zmq_errno() != EAGAIN) socket_.fail("send");
            if (socket_.wait(ZMQ_POLLOUT, std::nullopt, stop) == Waited::stopped) return Sent::stopped;
        }
        return Sent::yes;
    }
    bool finish(std::chrono::milliseconds linger, const std::stop_token& stop) override
    {
        return close_in_time(socket_, linger, stop);
    }

private:
    ZmqParts parts_;
    ZmqSocket socket_;
};

/// Never waits: a subscriber whose queue is full misses frames. An XPUB is a PUB that is notified of subscriptions.
/// With ZMQ_XPUB_NODROP it refuses a message that it would otherwise drop silently, so with one subscriber every drop
/// is counted. With several subscribers, a refused frame is sent to those that have room; then ZeroMQ silently omits
/// the slow subscriber until it has caught up.
class ZmqPub final : public Sender {
public:
    explicit ZmqPub(const NetworkAddress& address) : parts_(address), socket_(ZMQ_XPUB, address)
    {
        socket_.set(ZMQ_XPUB_NODROP, 1);
        socket_.set(ZMQ_XPUB_VERBOSER, 1);  // notifies of every subscriber, not only of every prefix
        socket_.open(sender_listens(address));
    }

    std::uint16_t port() const override { return socket_.port(); }
    std::uint64_t receivers() override;
    bool wait_for_receivers(std::uint64_t count, const Deadline& deadline, const std::stop_token& stop) override;
    Sent send(const Frame& frame, const FrameLabel& label, const std::stop_token& stop) override;
    bool finish(std::chrono::milliseconds linger, const std::stop_token& stop) override
    {
        return close_in_time(socket_, linger, stop);
    }

private:
    ZmqParts parts_;
    ZmqSocket socket_;
    std::uint64_t subscriptions_ = 0;
};

std::uint64_t ZmqPub::receivers()
{
    ZmqMessage subscription;
    while (::zmq_msg_recv(subscription.get(), socket_.get(), ZMQ_DONTWAIT) >= 0) {
        if (subscription.bytes().empty()) continue;
        if (subscription.bytes()[0] == std::byte{1})
            ++subscriptions_;
        else if (subscription.bytes()[0] == std::byte{0} && subscriptions_ > 0)
            --subscriptions_;
    }
    return subscriptions_;
}

bool ZmqPub::wait_for_receivers(std::uint64_t count, const Deadline& deadline, const std::stop_token& stop)
{
    while (receivers() < count)
        if (socket_.wait(ZMQ_POLLIN, deadline, stop) != Waited::ready) return false;
    return true;
}

Sent ZmqPub::send(const Frame& frame, const FrameLabel& label, const std::stop_token&)
{
    if (receivers() == 0) return Sent::not_delivered;
    auto result = Sent::yes;
    while (!parts_.send(socket_, frame, label)) {
        if (zmq_errno() == EINTR) continue;
        if (zmq_errno() != EAGAIN || result == Sent::not_delivered) socket_.fail("send");
        if (subscriptions_ == 1) return Sent::not_delivered;
        result = Sent::not_delivered;  // not to all; the others received it
        socket_.set(ZMQ_XPUB_NODROP, 0);
    }
    if (result == Sent::not_delivered) socket_.set(ZMQ_XPUB_NODROP, 1);
    return result;
}

}  // namespace

std::unique_ptr<Sender> make_zmq_push(const NetworkAddress& address) { return std::make_unique<ZmqPush>(address); }
std::unique_ptr<Sender> make_zmq_pub(const NetworkAddress& address) { return std::make_unique<ZmqPub>(address); }

}  // namespace ositrace::net
