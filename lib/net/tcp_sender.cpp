// SPDX-License-Identifier: MPL-2.0
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>

#include "lib/net/tcp_connection.hpp"

namespace ositrace::net {

namespace {

class TcpSender final : public Sender {
public:
    explicit TcpSender(const NetworkAddress& address) : connection_(address, sender_listens(address)) {}

    std::uint16_t port() const override { return connection_.port(); }
    std::uint64_t receivers() override { return connection_.advance() ? 1 : 0; }
    bool wait_for_receivers(std::uint64_t, const Deadline& deadline, const std::stop_token& stop) override
    {
        return connection_.wait(deadline, stop);
    }
    Sent send(const Frame& frame, const FrameLabel& label, const std::stop_token& stop) override;
    bool finish(std::chrono::milliseconds linger, const std::stop_token& stop) override;

private:
    [[nodiscard]] bool all_has_arrived() const;

    TcpConnection connection_;
};

/// Removes the first `count` bytes of the data that is still to be sent.
void pass_over(std::span<iovec> pieces, std::size_t count)
{
    for (auto& piece : pieces) {
        const auto sent = std::min(count, piece.iov_len);
        piece.iov_base = static_cast<std::byte*>(piece.iov_base) + sent;
        piece.iov_len -= sent;
        count -= sent;
    }
}

Sent TcpSender::send(const Frame& frame, const FrameLabel&, const std::stop_token& stop)
{
    if (!connection_.advance()) return Sent::not_delivered;
    std::array<std::byte, 4> length{};
    store_le32(length.data(), static_cast<std::uint32_t>(frame.bytes.size()));
    std::array<iovec, 2> pieces{iovec{length.data(), length.size()},
                                iovec{const_cast<std::byte*>(frame.bytes.data()), frame.bytes.size()}};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    while (pieces[0].iov_len + pieces[1].iov_len != 0) {
        const auto sent = ::sendmsg(connection_.socket().get(), &message, MSG_NOSIGNAL);
        if (sent >= 0) {
            pass_over(pieces, static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN) {
            if (connection_.waiting().wait(connection_.socket().get(), POLLOUT, std::nullopt, stop) == Waited::ready)
                continue;
            connection_.drop();  // no other message can follow half a message
            return Sent::stopped;
        } else if (errno != EINTR) {
            connection_.drop();
            return Sent::not_delivered;
        }
    }
    return Sent::yes;
}

bool TcpSender::all_has_arrived() const
{
    int queued = 0;
    return ::ioctl(connection_.socket().get(), SIOCOUTQ, &queued) != 0 || queued == 0;
}

/// A socket that is closed with unread bytes resets the connection, and data on its way is lost. So this reads what the
/// receiver has sent, and waits until our bytes have been acknowledged.
bool TcpSender::finish(std::chrono::milliseconds linger, const std::stop_token& stop)
{
    if (!connection_.socket()) return true;
    const auto descriptor = connection_.socket().get();
    ::shutdown(descriptor, SHUT_WR);
    constexpr std::chrono::milliseconds step{2};
    std::array<std::byte, 4096> received;
    const auto deadline = std::chrono::steady_clock::now() + linger;
    while (!passed(deadline) && !all_has_arrived())
        if (connection_.waiting().wait(-1, 0, earlier(std::chrono::steady_clock::now() + step, deadline), stop) ==
            Waited::stopped)
            break;
        else
            while (::recv(descriptor, received.data(), received.size(), MSG_DONTWAIT) > 0 && !passed(deadline)) {
            }
    const bool in_time = stop.stop_requested() || all_has_arrived();
    connection_.drop();
    return in_time;
}

}  // namespace

std::unique_ptr<Sender> make_tcp_sender(const NetworkAddress& address) { return std::make_unique<TcpSender>(address); }

}  // namespace ositrace::net
