// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

#include <ositrace/network_address.hpp>

#include "lib/net/sender.hpp"
#include "lib/system/socket.hpp"
#include "lib/system/stoppable_wait.hpp"

namespace ositrace::net {

/// The addresses of a host, in the order of trying them. `*` is all interfaces (IPv4), for listening only. Throws Error
/// (io) with the resolver's text.
[[nodiscard]] std::vector<SocketAddress> resolve(const NetworkAddress& address, bool to_listen);

/// A bound, non-blocking socket; one of a stream listens. Throws Error (io) with the reason.
[[nodiscard]] Socket open_listening(const NetworkAddress& address, SocketKind kind);
[[nodiscard]] Socket open_socket(const SocketAddress& address, SocketKind kind, const NetworkAddress& named);
[[nodiscard]] inline std::uint16_t port_of(const Socket& socket) { return address_of(socket).port(); }

/// How long to wait before trying again to connect to an address where nobody listened.
inline constexpr std::chrono::milliseconds retry_after{50};

[[nodiscard]] std::chrono::steady_clock::time_point earlier(std::chrono::steady_clock::time_point time,
                                                            const Deadline& deadline);

/// Throws Error (io) with the system's text: `tcp://[::1]:5000: connect: Permission denied`.
[[noreturn]] void throw_network_error(const std::error_code& error, const NetworkAddress& address,
                                      std::string_view doing);
/// Throws Error (io) for an address that cannot be listened at, with what to do about it.
[[noreturn]] void throw_listen_error(const std::error_code& error, const NetworkAddress& address);

}  // namespace ositrace::net
