// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/network_address.hpp>

#include "lib/net/sender.hpp"
#include "lib/system/file.hpp"

namespace ositrace::net {

using Socket = FileHandle;

enum class Waited : std::uint8_t { ready, timed_out, stopped };

/// Waits that a stop token ends at once. One thread at a time.
class StoppableWait {
public:
    StoppableWait();
    /// Waits until `descriptor` has one of `events` of poll() or has failed; -1: only for the stop.
    Waited wait(int descriptor, short events, const Deadline& deadline, const std::stop_token& stop);

    /// While it lives, descriptor() becomes readable when a stop is requested.
    class Armed {
    public:
        Armed(const StoppableWait& wait, const std::stop_token& stop) : callback_(stop, Raise{wait.event_.get()}) {}

    private:
        struct Raise {
            int event;
            void operator()() const noexcept;
        };
        std::stop_callback<Raise> callback_;
    };
    [[nodiscard]] int descriptor() const noexcept { return event_.get(); }
    /// Clears the signal of an earlier token.
    void reset() noexcept;

private:
    Socket event_;
};

/// A numeric address in the form of the system.
struct SystemAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;
    [[nodiscard]] const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&storage); }
    [[nodiscard]] std::string text() const;  ///< `127.0.0.1:5000`
};

/// The addresses of a host, in the order of trying them. `*` is all interfaces (IPv4), for listening only. Throws Error
/// (io) with the resolver's text.
[[nodiscard]] std::vector<SystemAddress> resolve(const NetworkAddress& address, bool to_listen);

/// A bound, non-blocking socket. `type`: SOCK_STREAM (which listens then) or SOCK_DGRAM. Throws Error (io) with the
/// reason.
[[nodiscard]] Socket open_listening(const NetworkAddress& address, int type);
[[nodiscard]] Socket open_socket(const SystemAddress& address, int type, const NetworkAddress& named);
[[nodiscard]] std::uint16_t port_of(const Socket& socket);

/// How long to wait before trying again to connect to an address where nobody listened.
inline constexpr std::chrono::milliseconds retry_after{50};

[[nodiscard]] std::chrono::steady_clock::time_point earlier(std::chrono::steady_clock::time_point time,
                                                            const Deadline& deadline);
[[nodiscard]] inline bool passed(const Deadline& deadline)
{
    return deadline && *deadline <= std::chrono::steady_clock::now();
}

/// Throws Error (io) with the system's text for `error`: `tcp://[::1]:5000: connect: Permission denied`.
[[noreturn]] void throw_network_error(int error, const NetworkAddress& address, std::string_view doing);
/// Throws Error (io) for an address that cannot be listened at, with what to do about it.
[[noreturn]] void throw_listen_error(int error, const NetworkAddress& address);

}  // namespace ositrace::net
