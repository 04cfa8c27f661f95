// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>

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
    TcpConnection connection_;
};

/// Removes the first `count` bytes of the data that is still to be sent.
void pass_over(std::span<Bytes> pieces, std::size_t count)
{
    for (auto& piece : pieces) {
        const auto sent = std::min(count, piece.size());
        piece = piece.subspan(sent);
        count -= sent;
    }
}

Sent TcpSender::send(const Frame& frame, const FrameLabel&, const std::stop_token& stop)
{
    if (!connection_.advance()) return Sent::not_delivered;
    std::array<std::byte, 4> length{};
    store_le32(length.data(), static_cast<std::uint32_t>(frame.bytes.size()));
    std::array pieces{Bytes(length), frame.bytes};
    while (!pieces[0].empty() || !pieces[1].empty()) {
        std::error_code error;
        pass_over(pieces, send_pieces(connection_.socket(), pieces, error));
        if (!error) continue;
        if (!would_block(error)) {
            connection_.drop();
            return Sent::not_delivered;
        }
        if (connection_.waiting().wait(connection_.socket(), Ready::to_write, std::nullopt, stop) == Waited::ready)
            continue;
        connection_.drop();  // no other message can follow half a message
        return Sent::stopped;
    }
    return Sent::yes;
}

/// A socket that is closed with unread bytes resets the connection, and data on its way is lost. So this reads what the
/// receiver has sent, and waits until our bytes have been acknowledged.
bool TcpSender::finish(std::chrono::milliseconds linger, const std::stop_token& stop)
{
    if (!connection_.socket()) return true;
    const auto& socket = connection_.socket();
    end_sending(socket);
    constexpr std::chrono::milliseconds step{2};
    std::array<std::byte, 4096> received;
    std::error_code none;
    const auto deadline = std::chrono::steady_clock::now() + linger;
    while (!passed(deadline) && !all_has_arrived(socket))
        if (connection_.waiting().pause(earlier(std::chrono::steady_clock::now() + step, deadline), stop) ==
            Waited::stopped)
            break;
        else
            while (receive_some(socket, received, none) > 0 && !passed(deadline)) {
            }
    const bool in_time = stop.stop_requested() || all_has_arrived(socket);
    connection_.drop();
    return in_time;
}

}  // namespace

std::unique_ptr<Sender> make_tcp_sender(const NetworkAddress& address) { return std::make_unique<TcpSender>(address); }

}  // namespace ositrace::net
