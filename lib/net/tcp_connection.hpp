// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <utility>
#include <vector>

#include "lib/net/socket.hpp"

namespace ositrace::net {

/// One TCP connection at a time, established again whenever it is lost; either end may listen. Other peers that connect
/// meanwhile wait in the system's queue until the current one has disconnected.
class TcpConnection {
public:
    /// Listens, or resolves the address to connect to.
    TcpConnection(const NetworkAddress& address, bool listens);

    [[nodiscard]] std::uint16_t port() const { return listener_ ? port_of(listener_) : std::uint16_t{0}; }
    /// Makes progress without blocking; returns true if connected. Throws Error (io) only for a permanent failure.
    bool advance();
    /// Waits until connected; returns false if the deadline has passed or a stop was requested.
    bool wait(const Deadline& deadline, const std::stop_token& stop);

    [[nodiscard]] const Socket& socket() const noexcept { return connection_; }
    /// The caller owns the connection.
    [[nodiscard]] Socket release() noexcept { return std::exchange(connection_, {}); }
    [[nodiscard]] StoppableWait& waiting() noexcept { return wait_; }
    void drop() noexcept { connection_.close(); }

private:
    bool accept();
    bool connect();
    bool finish_connecting();
    void start_connecting();
    bool failed() noexcept;
    bool connected(Socket socket);

    NetworkAddress address_;
    Socket listener_;
    std::vector<SocketAddress> places_;
    std::size_t place_ = 0;  ///< index in places_ of the next one to try
    Socket pending_;         ///< connecting
    std::chrono::steady_clock::time_point next_try_{};
    Socket connection_;
    StoppableWait wait_;
};

}  // namespace ositrace::net
