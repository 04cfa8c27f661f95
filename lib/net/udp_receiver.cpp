// SPDX-License-Identifier: MPL-2.0
#include <poll.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include <ositrace/network_framing.hpp>

#include "lib/net/receiver.hpp"
#include "lib/net/socket.hpp"

namespace ositrace::net {

namespace {

/// A datagram is never longer.
constexpr std::size_t datagram_bytes = 65536;
/// Asked for: a message of megabytes comes as a burst of datagrams. The system gives what net.core.rmem_max allows.
constexpr int wanted_buffer_bytes = 16 << 20;

class UdpReceiver final : public Receiver {
public:
    UdpReceiver(const NetworkAddress& address, ReceiverOptions options);

    std::uint16_t port() const override { return port_of(socket_); }
    bool receive(Received& message, const std::stop_token& stop) override;
    std::uint64_t bytes() const noexcept override { return bytes_; }

private:
    bool read_datagram(Bytes& datagram, const std::stop_token& stop);
    void note_sender(const SystemAddress& from);

    ReceiverOptions options_;
    NetworkAddress address_;
    Socket socket_;
    StoppableWait wait_;
    std::vector<std::byte> space_;
    SystemAddress sender_;
    PartAssembly assembly_;
    std::uint64_t bytes_ = 0;
    std::uint64_t offset_ = 0;  ///< of what came behind the last message
};

UdpReceiver::UdpReceiver(const NetworkAddress& address, ReceiverOptions options)
    : options_(std::move(options)),
      address_(address),
      socket_(open_listening(address, SOCK_DGRAM)),
      space_(datagram_bytes),
      assembly_(options_.max_message_bytes)
{
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &wanted_buffer_bytes, sizeof wanted_buffer_bytes);
}

bool UdpReceiver::receive(Received& message, const std::stop_token& stop)
{
    Bytes datagram;
    while (read_datagram(datagram, stop)) {
        const auto taken = assembly_.add(datagram);
        if (!taken.lost.empty()) options_.lost(taken.lost);
        if (!taken.complete) continue;
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
        SystemAddress from;
        from.size = sizeof from.storage;
        const auto count = ::recvfrom(socket_.get(), space_.data(), space_.size(), 0, reinterpret_cast<sockaddr*>(&from.storage), &from.size);
        if (count >= 0) {
            note_sender(from);
            datagram = Bytes(space_).first(static_cast<std::size_t>(count));
            bytes_ += datagram.size();
            return true;
        }
        if (errno == EAGAIN) wait_.wait(socket_.get(), POLLIN, std::nullopt, stop);
        else if (errno != EINTR) throw_network_error(errno, address_, "receive");
    }
    return false;
}

/// Parts name no message, let alone a sender: what another one begins ends what this one began.
void UdpReceiver::note_sender(const SystemAddress& from)
{
    if (from.size == sender_.size && std::memcmp(&from.storage, &sender_.storage, from.size) == 0) return;
    sender_ = from;
    if (assembly_.abandon()) options_.lost("another sender, " + from.text() + ", came in between the parts of a message");
}

}  // namespace

std::unique_ptr<Receiver> make_udp_receiver(const NetworkAddress& address, const ReceiverOptions& options)
{
    return std::make_unique<UdpReceiver>(address, options);
}

}  // namespace ositrace::net
