// SPDX-License-Identifier: MPL-2.0
#include "lib/net/socket.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include <ositrace/error.hpp>

#include "lib/net/transports.hpp"

namespace ositrace::net {

StoppableWait::StoppableWait() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!event_) throw Error(Cause::io, "eventfd: " + std::generic_category().message(errno));
}

void StoppableWait::Armed::Raise::operator()() const noexcept
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(event, &one, sizeof one);
}

void StoppableWait::reset() noexcept
{
    std::uint64_t count = 0;
    [[maybe_unused]] const auto drained =
        ::read(event_.get(), &count, sizeof count);  // usually there is nothing to read
}

namespace {

timespec time_to(std::chrono::steady_clock::time_point deadline)
{
    const auto left =
        std::clamp<std::chrono::nanoseconds>(deadline - std::chrono::steady_clock::now(), {}, std::chrono::minutes(1));
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    return {.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
}

}  // namespace

Waited StoppableWait::wait(int descriptor, short events, const Deadline& deadline, const std::stop_token& stop)
{
    reset();
    const Armed armed(*this, stop);
    std::array<pollfd, 2> waiting{pollfd{event_.get(), POLLIN, 0}, pollfd{descriptor, events, 0}};
    while (!stop.stop_requested()) {
        const auto left = deadline ? time_to(*deadline) : timespec{};
        const auto ready = ::ppoll(waiting.data(), waiting.size(), deadline ? &left : nullptr, nullptr);
        if (ready < 0 && errno != EINTR) throw Error(Cause::io, "poll: " + std::generic_category().message(errno));
        if (ready > 0 && waiting[1].revents != 0) return Waited::ready;
        if (ready <= 0 && passed(deadline)) return Waited::timed_out;
    }
    return Waited::stopped;
}

std::string SystemAddress::text() const
{
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    if (::getnameinfo(get(), size, host.data(), host.size(), port.data(), port.size(),
                      NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return "?";
    const std::string name(host.data());
    return (name.find(':') == name.npos ? name : "[" + name + "]") + ":" + port.data();
}

std::vector<SystemAddress> resolve(const NetworkAddress& address, bool to_listen)
{
    if (!to_listen && (address.host == "*" || address.port == 0))
        throw Error(Cause::usage, {.file = to_string(address)},
                    "* and port 0 are addresses to listen at, not to send to");
    addrinfo hints{};
    hints.ai_family = address.host == "*" ? AF_INET : AF_UNSPEC;
    hints.ai_socktype = address.transport == Transport::udp ? SOCK_DGRAM : SOCK_STREAM;
    hints.ai_flags = to_listen ? AI_PASSIVE : 0;
    addrinfo* found = nullptr;
    const auto result = ::getaddrinfo(address.host == "*" ? nullptr : address.host.c_str(),
                                      std::to_string(address.port).c_str(), &hints, &found);
    if (result != 0)
        throw Error(Cause::io, {.file = to_string(address)}, "'" + address.host + "': " + ::gai_strerror(result));
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    std::vector<SystemAddress> addresses;
    for (const auto* each = found; each; each = each->ai_next) {
        auto& added = addresses.emplace_back();
        added.size = each->ai_addrlen;
        std::copy_n(reinterpret_cast<const std::byte*>(each->ai_addr), each->ai_addrlen,
                    reinterpret_cast<std::byte*>(&added.storage));
    }
    return addresses;
}

Socket open_socket(const SystemAddress& address, int type, const NetworkAddress& named)
{
    Socket socket(::socket(address.storage.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) throw_network_error(errno, named, "socket");
    return socket;
}

Socket open_listening(const NetworkAddress& address, int type)
{
    constexpr int backlog = 16;
    const int on = 1;
    int error = 0;
    for (const auto& place : resolve(address, true)) {
        auto socket = open_socket(place, type, address);
        if (type == SOCK_STREAM) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (::bind(socket.get(), place.get(), place.size) == 0 &&
            (type != SOCK_STREAM || ::listen(socket.get(), backlog) == 0))
            return socket;
        if (error == 0) error = errno;
    }
    throw_listen_error(error, address);
}

std::uint16_t port_of(const Socket& socket)
{
    SystemAddress address;
    address.size = sizeof address.storage;
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address.storage), &address.size);
    const auto port = address.storage.ss_family == AF_INET6
                          ? reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_port
                          : reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_port;
    return ntohs(port);
}

std::chrono::steady_clock::time_point earlier(std::chrono::steady_clock::time_point time, const Deadline& deadline)
{
    return deadline ? std::min(time, *deadline) : time;
}

void throw_network_error(int error, const NetworkAddress& address, std::string_view doing)
{
    throw Error(Cause::io, {.file = to_string(address)},
                std::string(doing) + ": " + std::generic_category().message(error));
}

void throw_listen_error(int error, const NetworkAddress& address)
{
    const auto system = std::generic_category().message(error);
    if (error == EADDRINUSE)
        throw Error(Cause::io, {.file = to_string(address)}, "the port is already in use (" + system + ")");
    if (error == EADDRNOTAVAIL || error == ENODEV)
        throw Error(Cause::io, {.file = to_string(address)},
                    "no address of this machine to listen at (" + system + "); *:" + std::to_string(address.port) +
                        " listens at all of them" +
                        (row_of(address.transport).may_listen ? ", ?connect connects to it" : ""));
    throw_network_error(error, address, "listen");
}

}  // namespace ositrace::net
