// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <ositrace/network_framing.hpp>

#include "lib/net/socket.hpp"

namespace ositrace::net {

namespace {

class UdpSender final : public Sender {
public:
    explicit UdpSender(const NetworkAddress& address);

    std::uint64_t receivers() override { return 1; }  // unknown
    bool wait_for_receivers(std::uint64_t, const Deadline&, const std::stop_token&) override { return true; }
    Sent send(const Frame& frame, const FrameLabel& label, const std::stop_token& stop) override;
    [[nodiscard]] NetworkRefusals refusals() const noexcept override { return refusals_; }
    bool finish(std::chrono::milliseconds, const std::stop_token&) override { return true; }

private:
    bool keep_pace(std::size_t bytes, const std::stop_token& stop);
    Sent send_part(std::span<const Bytes> pieces, const std::stop_token& stop);
    void note_refusal(const std::error_code& error) noexcept { refusals_ = {refusals_.parts + 1, error.value()}; }

    Socket socket_;
    StoppableWait wait_;
    std::size_t part_bytes_;
    std::uint64_t pace_;
    std::chrono::steady_clock::time_point due_{};  ///< of the next part
    NetworkRefusals refusals_;
};

UdpSender::UdpSender(const NetworkAddress& address) : part_bytes_(address.part_bytes), pace_(address.pace)
{
    const auto places = resolve(address, false);
    socket_ = open_socket(places.front(), SocketKind::datagram, address);
    allow_broadcast(socket_);
    if (const auto error = start_connecting(socket_, places.front())) throw_network_error(error, address, "connect");
}

Sent UdpSender::send(const Frame& frame, const FrameLabel&, const std::stop_token& stop)
{
    MessageParts parts(frame.bytes, part_bytes_);
    std::array<std::byte, datagram_header_bytes> header;
    Bytes part;
    auto all = Sent::yes;
    while (parts.next(header, part)) {
        const std::array pieces{Bytes(header), part};
        const auto sent = keep_pace(part.size(), stop) ? send_part(pieces, stop) : Sent::stopped;
        if (sent == Sent::stopped) return sent;
        if (sent == Sent::not_delivered) all = sent;
    }
    return all;
}

/// Waits until a part is due; returns false if a stop was requested. After a wait that was too long, the next parts
/// follow at once, up to a burst that fits into every receive buffer.
bool UdpSender::keep_pace(std::size_t bytes, const std::stop_token& stop)
{
    if (pace_ == 0) return true;
    const auto time_of = [this](std::size_t count) {
        return std::chrono::nanoseconds(std::llround(1e9 * static_cast<double>(count) / static_cast<double>(pace_)));
    };
    constexpr std::size_t burst_bytes = 8 * usual_part_bytes;
    const auto now = std::chrono::steady_clock::now();
    if (due_ > now && wait_.pause(due_, stop) == Waited::stopped) return false;
    due_ = std::max(due_, now - time_of(std::max(burst_bytes, part_bytes_))) + time_of(bytes);
    return true;
}

/// An error of one datagram need not affect the next one.
Sent UdpSender::send_part(std::span<const Bytes> pieces, const std::stop_token& stop)
{
    auto result = Sent::yes;
    for (;;) {
        std::error_code error;
        send_pieces(socket_, pieces, error);
        if (!error) return result;
        if (would_block(error)) {
            if (wait_.wait(socket_, Ready::to_write, std::nullopt, stop) == Waited::stopped) return Sent::stopped;
            continue;
        }
        note_refusal(error);
        // The error is that of an earlier datagram: the port was not open. This one was not sent yet.
        if (error != std::errc::connection_refused || result == Sent::not_delivered) return Sent::not_delivered;
        result = Sent::not_delivered;
    }
}

}  // namespace

std::unique_ptr<Sender> make_udp_sender(const NetworkAddress& address) { return std::make_unique<UdpSender>(address); }

}  // namespace ositrace::net
