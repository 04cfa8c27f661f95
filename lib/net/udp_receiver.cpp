// SPDX-License-Identifier: MPL-2.0
#include <poll.h>

#include <sys/uio.h>

#include <linux/sock_diag.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
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
    void note_sender(const SystemAddress& from);
    void note_overruns(msghdr& message);
    void lose(const std::string& why, std::uint64_t count = 1);
    void count_unnoticed();
    [[nodiscard]] std::string overruns_text();

    ReceiverOptions options_;
    NetworkAddress address_;
    Socket socket_;
    StoppableWait wait_;
    std::vector<std::byte> space_;
    SystemAddress sender_;
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
      socket_(open_listening(address, SOCK_DGRAM)),
      space_(datagram_bytes),
      assembly_(options_.max_message_bytes)
{
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &wanted_buffer_bytes, sizeof wanted_buffer_bytes);
    const int on = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
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
        SystemAddress from;
        iovec piece{space_.data(), space_.size()};
        alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof overruns_)> control{};
        msghdr message{};
        message.msg_name = &from.storage;
        message.msg_namelen = sizeof from.storage;
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const auto count = ::recvmsg(socket_.get(), &message, 0);
        if (count >= 0) {
            from.size = message.msg_namelen;
            note_overruns(message);
            note_sender(from);
            datagram = Bytes(space_).first(static_cast<std::size_t>(count));
            bytes_ += datagram.size();
            return true;
        }
        if (errno == EAGAIN)
            wait_.wait(socket_.get(), POLLIN, std::nullopt, stop);
        else if (errno != EINTR)
            throw_network_error(errno, address_, "receive");
    }
    return false;
}

void UdpReceiver::note_overruns(msghdr& message)
{
    for (auto* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each))
        if (each->cmsg_level == SOL_SOCKET && each->cmsg_type == SO_RXQ_OVFL)
            std::memcpy(&overruns_, CMSG_DATA(each), sizeof overruns_);
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
    std::array<std::uint32_t, SK_MEMINFO_VARS> numbers{};
    socklen_t size = sizeof numbers;
    if (::getsockopt(socket_.get(), SOL_SOCKET, SO_MEMINFO, numbers.data(), &size) == 0 &&
        size > SK_MEMINFO_DROPS * sizeof numbers[0])
        overruns_ = numbers[SK_MEMINFO_DROPS];  // also those that no datagram followed
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
void UdpReceiver::note_sender(const SystemAddress& from)
{
    if (from.size == sender_.size && std::memcmp(&from.storage, &sender_.storage, from.size) == 0) return;
    sender_ = from;
    if (assembly_.abandon()) lose("another sender, " + from.text() + ", sent between the parts of a message");
}

}  // namespace

std::unique_ptr<Receiver> make_udp_receiver(const NetworkAddress& address, const ReceiverOptions& options)
{
    return std::make_unique<UdpReceiver>(address, options);
}

}  // namespace ositrace::net
