// SPDX-License-Identifier: MPL-2.0
// TCP and UDP. All sockets are non-blocking and belong to this process alone. An error of the system is a
// std::error_code; `would_block()` is the one that means: wait (StoppableWait::wait()), then do it again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <ositrace/bytes.hpp>

#include "lib/system/file.hpp"

namespace ositrace {

/// Owns a socket.
class Socket {
public:
    /// A file descriptor, or a SOCKET of Windows: what Boost.Asio and ZeroMQ take.
    using Native = std::intptr_t;

    Socket() = default;
    explicit Socket(Native native) noexcept : native_(native) {}
    Socket(Socket&& other) noexcept : native_(std::exchange(other.native_, none)) {}
    Socket& operator=(Socket&& other) noexcept
    {
        std::swap(native_, other.native_);
        return *this;
    }
    ~Socket() { close(); }

    [[nodiscard]] Native native() const noexcept { return native_; }
    [[nodiscard]] explicit operator bool() const noexcept { return native_ != none; }
    /// The caller closes it.
    [[nodiscard]] Native release() noexcept { return std::exchange(native_, none); }
    void close() noexcept
    {
        if (native_ != none) close_now();
    }

private:
    static constexpr Native none = -1;
    void close_now() noexcept;

    Native native_ = none;
};

enum class SocketKind : std::uint8_t { stream, datagram };

/// A numeric address and a port, in the form of the system.
struct SocketAddress {
    alignas(8) std::array<std::byte, 128> storage{};
    std::uint32_t size = 0;
    [[nodiscard]] std::string text() const;  ///< `127.0.0.1:5000`
    [[nodiscard]] std::uint16_t port() const noexcept;
    [[nodiscard]] bool is_version_6() const noexcept;
    [[nodiscard]] bool operator==(const SocketAddress& other) const noexcept;
};

/// The addresses of a host, in the order of trying them. `*` is all interfaces (IPv4), for listening only. Throws Error
/// (io) with `name` and the resolver's text.
[[nodiscard]] std::vector<SocketAddress> resolve_host(const std::string& host, std::uint16_t port, SocketKind kind,
                                                      bool to_listen, const std::filesystem::path& name);
/// `127.0.0.1`, `::1`
[[nodiscard]] bool is_numeric_address(const std::string& host) noexcept;

[[nodiscard]] Socket open_socket(const SocketAddress& address, SocketKind kind, std::error_code& error) noexcept;
/// A bound socket; of a stream, one that listens. None with an error.
[[nodiscard]] Socket open_listening(const SocketAddress& address, SocketKind kind, std::error_code& error) noexcept;
/// Of this end.
[[nodiscard]] SocketAddress address_of(const Socket& socket) noexcept;

/// The next peer that has connected; none if there is none yet.
[[nodiscard]] Socket accept_peer(const Socket& listener) noexcept;
/// Begins to connect; of a datagram socket that is all.
[[nodiscard]] std::error_code start_connecting(const Socket& socket, const SocketAddress& address) noexcept;
/// Empty while it is connecting.
[[nodiscard]] std::optional<std::error_code> result_of_connecting(const Socket& socket) noexcept;
/// The connection has failed or ended in both directions.
[[nodiscard]] bool has_gone(const Socket& socket) noexcept;

/// Sends each message at once, and finds out when the peer has vanished.
void use_for_messages(const Socket& socket) noexcept;
void allow_broadcast(const Socket& socket) noexcept;
/// The system may limit it.
void set_receive_buffer(const Socket& socket, int bytes) noexcept;
/// receive_datagram() and dropped_datagrams() count what did not fit into the buffer, where the system counts it.
void count_dropped_datagrams(const Socket& socket) noexcept;

[[nodiscard]] inline bool would_block(const std::error_code& error) noexcept
{
    return error == std::errc::operation_would_block || error == std::errc::resource_unavailable_try_again;
}

/// Sends what the system takes at once of the pieces, one after the other, at most two; returns the number of bytes. A
/// datagram is sent whole.
std::size_t send_pieces(const Socket& socket, std::span<const Bytes> pieces, std::error_code& error) noexcept;
/// Returns the number of bytes; 0 without an error: the peer sends no more.
std::size_t receive_some(const Socket& socket, std::span<std::byte> into, std::error_code& error) noexcept;
/// `dropped`: set to the number of datagrams that did not fit into the buffer so far, modulo 2^32, where it is known.
std::size_t receive_datagram(const Socket& socket, std::span<std::byte> into, SocketAddress& from,
                             std::uint32_t& dropped, std::error_code& error) noexcept;
/// The same number; also those that no datagram has followed.
[[nodiscard]] std::optional<std::uint32_t> dropped_datagrams(const Socket& socket) noexcept;

/// Sends no more; the peer learns of the end.
void end_sending(const Socket& socket) noexcept;
/// The peer has acknowledged all that was sent, or it is not known.
[[nodiscard]] bool all_has_arrived(const Socket& socket) noexcept;

/// A socket that can be read while a stop is requested, for libraries that wait for sockets themselves. One thread at a
/// time.
class StopSocket {
public:
    /// Throws Error (io).
    StopSocket();

    [[nodiscard]] Socket::Native native() const noexcept { return readable_.native(); }
    /// Clears the signal of an earlier token.
    void reset() noexcept;

    /// During its lifetime a stop request makes the socket readable.
    class Armed {
    public:
        Armed(const StopSocket& socket, const std::stop_token& stop) : callback_(stop, Raise{&socket}) {}

    private:
        struct Raise {
            const StopSocket* socket;
            void operator()() const noexcept { socket->raise(); }
        };
        std::stop_callback<Raise> callback_;
    };

private:
    void raise() const noexcept;

    Socket readable_;
    Socket writable_;  ///< of a pair; none where one is both
};

}  // namespace ositrace
