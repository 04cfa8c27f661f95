// SPDX-License-Identifier: MPL-2.0
#include "lib/net/socket.hpp"

#include <algorithm>
#include <string>

#include <ositrace/error.hpp>

#include "lib/net/transports.hpp"

namespace ositrace::net {

std::vector<SocketAddress> resolve(const NetworkAddress& address, bool to_listen)
{
    if (!to_listen && (address.host == "*" || address.port == 0))
        throw Error(Cause::usage, {.file = to_string(address)},
                    "* and port 0 are addresses to listen at, not to send to");
    const auto kind = address.transport == Transport::udp ? SocketKind::datagram : SocketKind::stream;
    return resolve_host(address.host, address.port, kind, to_listen, to_string(address));
}

Socket open_socket(const SocketAddress& address, SocketKind kind, const NetworkAddress& named)
{
    std::error_code error;
    auto socket = ositrace::open_socket(address, kind, error);
    if (!socket) throw_network_error(error, named, "socket");
    return socket;
}

Socket open_listening(const NetworkAddress& address, SocketKind kind)
{
    std::error_code first;
    for (const auto& place : resolve(address, true)) {
        std::error_code error;
        auto socket = ositrace::open_listening(place, kind, error);
        if (socket) return socket;
        if (!first) first = error;
    }
    throw_listen_error(first, address);
}

std::chrono::steady_clock::time_point earlier(std::chrono::steady_clock::time_point time, const Deadline& deadline)
{
    return deadline ? std::min(time, *deadline) : time;
}

void throw_network_error(const std::error_code& error, const NetworkAddress& address, std::string_view doing)
{
    throw Error(Cause::io, {.file = to_string(address)}, std::string(doing) + ": " + error.message());
}

void throw_listen_error(const std::error_code& error, const NetworkAddress& address)
{
    const auto text = error.message();
    if (error == std::errc::address_in_use)
        throw Error(Cause::io, {.file = to_string(address)}, "the port is already in use (" + text + ")");
    if (error == std::errc::address_not_available || error == std::errc::no_such_device)
        throw Error(Cause::io, {.file = to_string(address)},
                    "no address of this machine to listen at (" + text + "); *:" + std::to_string(address.port) +
                        " listens at all of them" +
                        (row_of(address.transport).may_listen ? ", ?connect connects to it" : ""));
    throw_network_error(error, address, "listen");
}

}  // namespace ositrace::net
