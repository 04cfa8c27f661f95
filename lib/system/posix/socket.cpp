// SPDX-License-Identifier: MPL-2.0
#include "lib/system/socket.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/system/posix/last_error.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

int descriptor_of(const Socket& socket) noexcept { return static_cast<int>(socket.native()); }

const sockaddr* form_of(const SocketAddress& address) noexcept
{
    return reinterpret_cast<const sockaddr*>(address.storage.data());
}

sockaddr* form_of(SocketAddress& address) noexcept { return reinterpret_cast<sockaddr*>(address.storage.data()); }

int type_of(SocketKind kind) noexcept { return kind == SocketKind::stream ? SOCK_STREAM : SOCK_DGRAM; }

void turn_on(const Socket& socket, int level, int option) noexcept
{
    const int on = 1;
    ::setsockopt(descriptor_of(socket), level, option, &on, sizeof on);
}

}  // namespace

static_assert(sizeof(SocketAddress::storage) >= sizeof(sockaddr_storage));
static_assert(alignof(SocketAddress) >= alignof(sockaddr_storage));

void Socket::close_now() noexcept { ::close(static_cast<int>(release())); }

std::string SocketAddress::text() const
{
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port_text{};
    if (::getnameinfo(form_of(*this), size, host.data(), host.size(), port_text.data(), port_text.size(),
                      NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return "?";
    const std::string name(host.data());
    return (name.find(':') == name.npos ? name : "[" + name + "]") + ":" + port_text.data();
}

std::uint16_t SocketAddress::port() const noexcept
{
    return ntohs(is_version_6() ? reinterpret_cast<const sockaddr_in6*>(storage.data())->sin6_port
                                : reinterpret_cast<const sockaddr_in*>(storage.data())->sin_port);
}

bool SocketAddress::is_version_6() const noexcept { return form_of(*this)->sa_family == AF_INET6; }

bool SocketAddress::operator==(const SocketAddress& other) const noexcept
{
    return size == other.size && std::memcmp(storage.data(), other.storage.data(), size) == 0;
}

std::vector<SocketAddress> resolve_host(const std::string& host, std::uint16_t port, SocketKind kind, bool to_listen,
                                        const std::filesystem::path& name)
{
    const bool everywhere = host == "*";
    addrinfo hints{};
    hints.ai_family = everywhere ? AF_INET : AF_UNSPEC;
    hints.ai_socktype = type_of(kind);
    hints.ai_flags = to_listen ? AI_PASSIVE : 0;
    addrinfo* found = nullptr;
    const auto result =
        ::getaddrinfo(everywhere ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (result != 0) throw Error(Cause::io, {.file = name}, "'" + host + "': " + ::gai_strerror(result));
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    std::vector<SocketAddress> addresses;
    for (const auto* each = found; each; each = each->ai_next) {
        auto& added = addresses.emplace_back();
        added.size = each->ai_addrlen;
        std::memcpy(added.storage.data(), each->ai_addr, each->ai_addrlen);
    }
    return addresses;
}

bool is_numeric_address(const std::string& host) noexcept
{
    std::array<unsigned char, 16> parsed{};
    return ::inet_pton(AF_INET, host.c_str(), parsed.data()) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), parsed.data()) == 1;
}

Socket open_socket(const SocketAddress& address, SocketKind kind, std::error_code& error) noexcept
{
    Socket socket(::socket(form_of(address)->sa_family, type_of(kind) | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) error = last_error();
    return socket;
}

Socket open_listening(const SocketAddress& address, SocketKind kind, std::error_code& error) noexcept
{
    constexpr int backlog = 16;
    auto socket = open_socket(address, kind, error);
    if (!socket) return socket;
    const bool is_stream = kind == SocketKind::stream;
    if (is_stream) turn_on(socket, SOL_SOCKET, SO_REUSEADDR);
    if (::bind(descriptor_of(socket), form_of(address), address.size) == 0 &&
        (!is_stream || ::listen(descriptor_of(socket), backlog) == 0))
        return socket;
    error = last_error();
    return {};
}

SocketAddress address_of(const Socket& socket) noexcept
{
    SocketAddress address;
    socklen_t size = sizeof address.storage;
    ::getsockname(descriptor_of(socket), form_of(address), &size);
    address.size = size;
    return address;
}

Socket accept_peer(const Socket& listener) noexcept
{
    return Socket(::accept4(descriptor_of(listener), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

std::error_code start_connecting(const Socket& socket, const SocketAddress& address) noexcept
{
    if (::connect(descriptor_of(socket), form_of(address), address.size) == 0 || errno == EINPROGRESS) return {};
    return last_error();
}

std::optional<std::error_code> result_of_connecting(const Socket& socket) noexcept
{
    pollfd state{descriptor_of(socket), POLLOUT, 0};
    if (::poll(&state, 1, 0) <= 0) return std::nullopt;
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(descriptor_of(socket), SOL_SOCKET, SO_ERROR, &error, &size);
    return std::error_code(error, std::system_category());
}

bool has_gone(const Socket& socket) noexcept
{
    pollfd state{descriptor_of(socket), 0, 0};
    return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

void use_for_messages(const Socket& socket) noexcept
{
    turn_on(socket, IPPROTO_TCP, TCP_NODELAY);
    turn_on(socket, SOL_SOCKET, SO_KEEPALIVE);
}

void allow_broadcast(const Socket& socket) noexcept { turn_on(socket, SOL_SOCKET, SO_BROADCAST); }

void set_receive_buffer(const Socket& socket, int bytes) noexcept
{
    ::setsockopt(descriptor_of(socket), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

void count_dropped_datagrams(const Socket& socket) noexcept { turn_on(socket, SOL_SOCKET, SO_RXQ_OVFL); }

std::size_t send_pieces(const Socket& socket, std::span<const Bytes> pieces, std::error_code& error) noexcept
{
    std::array<iovec, 2> parts;
    assert(pieces.size() <= parts.size());
    std::ranges::transform(pieces, parts.begin(),
                           [](Bytes piece) { return iovec{const_cast<std::byte*>(piece.data()), piece.size()}; });
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = pieces.size();
    for (;;) {
        const auto sent = ::sendmsg(descriptor_of(socket), &message, MSG_NOSIGNAL);
        if (sent >= 0) return static_cast<std::size_t>(sent);
        if (errno == EINTR) continue;
        error = last_error();
        return 0;
    }
}

std::size_t receive_some(const Socket& socket, std::span<std::byte> into, std::error_code& error) noexcept
{
    for (;;) {
        const auto count = ::recv(descriptor_of(socket), into.data(), into.size(), 0);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno == EINTR) continue;
        error = last_error();
        return 0;
    }
}

std::size_t receive_datagram(const Socket& socket, std::span<std::byte> into, SocketAddress& from,
                             std::uint32_t& dropped, std::error_code& error) noexcept
{
    for (;;) {
        iovec piece{into.data(), into.size()};
        alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof dropped)> control{};
        msghdr message{};
        message.msg_name = from.storage.data();
        message.msg_namelen = sizeof from.storage;
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const auto count = ::recvmsg(descriptor_of(socket), &message, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            error = last_error();
            return 0;
        }
        from.size = message.msg_namelen;
        for (auto* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each))
            if (each->cmsg_level == SOL_SOCKET && each->cmsg_type == SO_RXQ_OVFL)
                std::memcpy(&dropped, CMSG_DATA(each), sizeof dropped);
        return static_cast<std::size_t>(count);
    }
}

std::optional<std::uint32_t> dropped_datagrams(const Socket& socket) noexcept
{
    std::array<std::uint32_t, SK_MEMINFO_VARS> numbers{};
    socklen_t size = sizeof numbers;
    if (::getsockopt(descriptor_of(socket), SOL_SOCKET, SO_MEMINFO, numbers.data(), &size) == 0 &&
        size > SK_MEMINFO_DROPS * sizeof numbers[0])
        return numbers[SK_MEMINFO_DROPS];
    return std::nullopt;
}

void end_sending(const Socket& socket) noexcept { ::shutdown(descriptor_of(socket), SHUT_WR); }

bool all_has_arrived(const Socket& socket) noexcept
{
    int queued = 0;
    return ::ioctl(descriptor_of(socket), SIOCOUTQ, &queued) != 0 || queued == 0;
}

// An eventfd is both ends.
StopSocket::StopSocket() : readable_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!readable_) throw_system_error(last_error(), {}, "eventfd");
}

void StopSocket::raise() const noexcept
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(descriptor_of(readable_), &one, sizeof one);
}

void StopSocket::reset() noexcept
{
    std::uint64_t count = 0;
    // Usually there is nothing to read.
    [[maybe_unused]] const auto drained = ::read(descriptor_of(readable_), &count, sizeof count);
}

}  // namespace ositrace
