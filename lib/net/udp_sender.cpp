// SPDX-License-Identifier: MPL-2.0
#include <poll.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>

#include <ositrace/network_framing.hpp>

#include "lib/net/socket.hpp"

namespace ositrace::net {

namespace {

class UdpSender final : public Sender {
public:
    explicit UdpSender(const NetworkAddress& address);

    bool has_receiver() override { return true; }  // nobody can tell
    bool wait_for_receiver(const Deadline&, const std::stop_token&) override { return true; }
    Sent send(const Frame& frame, const std::stop_token& stop) override;
    void finish(std::chrono::milliseconds, const std::stop_token&) override {}

private:
    Sent send_part(std::span<iovec> pieces, const std::stop_token& stop);

    Socket socket_;
    StoppableWait wait_;
};

UdpSender::UdpSender(const NetworkAddress& address)
{
    const auto places = resolve(address, false);
    socket_ = open_socket(places.front(), SOCK_DGRAM, address);
    const int on = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
    if (::connect(socket_.get(), places.front().get(), places.front().size) != 0) throw_network_error(errno, address, "connect");
}

Sent UdpSender::send(const Frame& frame, const std::stop_token& stop)
{
    MessageParts parts(frame.bytes);
    std::array<std::byte, datagram_header_bytes> header;
    Bytes part;
    auto all = Sent::yes;
    while (parts.next(header, part)) {
        std::array<iovec, 2> pieces{iovec{header.data(), header.size()}, iovec{const_cast<std::byte*>(part.data()), part.size()}};
        const auto sent = send_part(pieces, stop);
        if (sent == Sent::stopped) return sent;
        if (sent == Sent::not_delivered) all = sent;
    }
    return all;
}

/// Whatever is wrong with the way of a datagram may be right for the next.
Sent UdpSender::send_part(std::span<iovec> pieces, const std::stop_token& stop)
{
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    auto result = Sent::yes;
    while (::sendmsg(socket_.get(), &message, MSG_NOSIGNAL) < 0) {
        if (errno == EAGAIN) {
            if (wait_.wait(socket_.get(), POLLOUT, std::nullopt, stop) == Waited::stopped) return Sent::stopped;
        } else if (errno == ECONNREFUSED && result == Sent::yes) {
            result = Sent::not_delivered;  // of an earlier datagram, nobody had the port open: this one was not sent yet
        } else if (errno != EINTR) {
            return Sent::not_delivered;
        }
    }
    return result;
}

}  // namespace

std::unique_ptr<Sender> make_udp_sender(const NetworkAddress& address) { return std::make_unique<UdpSender>(address); }

}  // namespace ositrace::net
