// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <ositrace/count_text.hpp>
#include <ositrace/network_framing.hpp>

#include "lib/net/receiver.hpp"
#include "lib/net/socket.hpp"
#include "lib/net/transports.hpp"

namespace ositrace::net {

namespace {

/// A datagram is never longer.
constexpr std::size_t datagram_bytes = 65536;
/// The requested size: a message of megabytes is a burst of datagrams. The system limits it to net.core.rmem_max.
constexpr int wanted_buffer_bytes = 16 << 20;

class UdpReceiver final : public Receiver {
public:
    UdpReceiver(const NetworkAddress& address, ReceiverOptions options);

    std::uint16_t port() const override { return port_of(socket_); }
    bool receive(Received& message, const std::stop_token& stop) override;
    void end() override;
    std::uint64_t bytes() const noexcept override { return bytes_; }

private:
    bool read_datagram(Bytes& datagram, const std::stop_token& stop);
    void note_sender(const SocketAddress& from);
    void lose(const std::string& why, std::uint64_t count = 1);
    void count_unnoticed();
    [[nodiscard]] std::string overruns_text();

    ReceiverOptions options_;
    NetworkAddress address_;
    Socket socket_;
    StoppableWait wait_;
    std::vector<std::byte> space_;
    SocketAddress sender_;
    PartAssembly assembly_;
    std::uint64_t bytes_ = 0;
    std::uint64_t offset_ = 0;    ///< of the end of the last message
    std::uint32_t overruns_ = 0;  ///< datagrams that the socket had no room for, modulo 2^32
    std::uint32_t overruns_reported_ = 0;
    // Since the last complete message:
    std::uint32_t overruns_before_ = 0;
    std::uint64_t parts_ = 0;
    std::uint64_t lost_ = 0;        ///< messages that were reported
    std::uint64_t most_parts_ = 0;  ///< of a complete message, before which nothing was lost; 0: there was none
};

UdpReceiver::UdpReceiver(const NetworkAddress& address, ReceiverOptions options)
    : options_(std::move(options)),
      address_(address),
      socket_(open_listening(address, SocketKind::datagram)),
      space_(datagram_bytes),
      assembly_(options_.max_message_bytes)
{
    set_receive_buffer(socket_, wanted_buffer_bytes);
    count_dropped_datagrams(socket_);
}

bool UdpReceiver::receive(Received& message, const std::stop_token& stop)
{
    Bytes datagram;
    while (read_datagram(datagram, stop)) {
        const auto added = assembly_.add(datagram);
        ++parts_;
        for (const auto& why : added.lost) lose(why);
        if (!added.complete) continue;
        if (lost_ == 0) most_parts_ = std::max(most_parts_, parts_);
        parts_ = 0;
        count_unnoticed();
        const auto payload = std::make_shared<ByteBuffer>(assembly_.take());
        message = {payload->bytes(), payload, offset_};
        offset_ = bytes_;
        return true;
    }
    return false;
}

bool UdpReceiver::read_datagram(Bytes& datagram, const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        SocketAddress from;
        std::error_code error;
        const auto count = receive_datagram(socket_, space_, from, overruns_, error);
        if (!error) {
            note_sender(from);
            datagram = Bytes(space_).first(count);
            bytes_ += count;
            return true;
        }
        if (!would_block(error)) throw_network_error(error, address_, "receive");
        wait_.wait(socket_, Ready::to_read, std::nullopt, stop);
    }
    return false;
}

void UdpReceiver::lose(const std::string& why, std::uint64_t count)
{
    lost_ += count;
    options_.lost(why + overruns_text(), count);
}

/// Nobody misses a message of which no part arrived, but the socket has counted its datagrams. The messages that they
/// belong to are at least as many as if each were as long as the longest one so far.
void UdpReceiver::count_unnoticed()
{
    const std::uint32_t datagrams = overruns_ - std::exchange(overruns_before_, overruns_);
    std::uint64_t messages = datagrams != 0 ? 1 : 0;
    if (most_parts_ != 0) messages = std::max(messages, datagrams / most_parts_);
    if (messages > lost_) lose("no part arrived", messages - lost_);
    lost_ = 0;
}

void UdpReceiver::end()
{
    overruns_ = dropped_datagrams(socket_).value_or(overruns_);  // also those that no datagram followed
    if (const auto part = assembly_.unfinished(); !part.empty()) lose(ended_after(part));
    count_unnoticed();
}

/// Why parts may be missing, if the socket knows.
std::string UdpReceiver::overruns_text()
{
    const std::uint32_t count = overruns_ - std::exchange(overruns_reported_, overruns_);
    if (count == 0) return {};
    return "; " + count_text(count, "datagram") + " did not fit into the receive buffer (net.core.rmem_max limits it)";
}

/// Parts contain neither the message nor the sender: a message that another sender begins ends the current one.
void UdpReceiver::note_sender(const SocketAddress& from)
{
    if (from == sender_) return;
    sender_ = from;
    if (assembly_.abandon()) lose("another sender, " + from.text() + ", sent between the parts of a message");
}

}  // namespace

std::unique_ptr<Receiver> make_udp_receiver(const NetworkAddress& address, const ReceiverOptions& options)
{
    return std::make_unique<UdpReceiver>(address, options);
}

}  // namespace ositrace::net
