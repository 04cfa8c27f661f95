// SPDX-License-Identifier: MPL-2.0
#include "lib/system/socket.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

#include <ositrace/error.hpp>

#include "lib/system/stoppable_wait.hpp"
#include "lib/system/system_error.hpp"
#include "lib/system/windows/native.hpp"
#include "lib/system/windows/wait_time.hpp"

#include <mswsock.h>
#include <ws2tcpip.h>

namespace ositrace {

namespace {

SOCKET socket_of(const Socket& socket) noexcept { return static_cast<SOCKET>(socket.native()); }

const sockaddr* form_of(const SocketAddress& address) noexcept
{
    return reinterpret_cast<const sockaddr*>(address.storage.data());
}

sockaddr* form_of(SocketAddress& address) noexcept { return reinterpret_cast<sockaddr*>(address.storage.data()); }

int type_of(SocketKind kind) noexcept { return kind == SocketKind::stream ? SOCK_STREAM : SOCK_DGRAM; }

void set(const Socket& socket, int level, int option, int value) noexcept
{
    ::setsockopt(socket_of(socket), level, option, reinterpret_cast<const char*>(&value), sizeof value);
}

std::error_code last_socket_error() noexcept { return error_of(static_cast<DWORD>(::WSAGetLastError())); }

/// Once in a process, before the first socket.
void start_sockets() noexcept
{
    static const int started = [] {
        WSADATA data{};
        return ::WSAStartup(MAKEWORD(2, 2), &data);
    }();
    static_cast<void>(started);
}

SocketAddress peer_of(const Socket& socket) noexcept
{
    SocketAddress address;
    int size = sizeof address.storage;
    ::getpeername(socket_of(socket), form_of(address), &size);
    address.size = static_cast<std::uint32_t>(size);
    return address;
}

/// Of this process alone, and non-blocking.
Socket prepared(SOCKET native) noexcept
{
    if (native == INVALID_SOCKET) return {};
    ::SetHandleInformation(reinterpret_cast<HANDLE>(native), HANDLE_FLAG_INHERIT, 0);
    u_long on = 1;
    ::ioctlsocket(native, static_cast<long>(FIONBIO), &on);
    return Socket(static_cast<Socket::Native>(native));
}

WSABUF buffer_of(std::span<std::byte> bytes)
{
    constexpr std::size_t most_at_once = std::size_t{1} << 30;
    return {static_cast<ULONG>(std::min(bytes.size(), most_at_once)), reinterpret_cast<char*>(bytes.data())};
}

struct SocketState {
    bool to_read = false, to_write = false;
    bool failed = false;  ///< also: it could not be connected
};

SocketState state_of(const Socket& socket) noexcept
{
    fd_set read;
    fd_set write;
    fd_set failed;
    for (auto* const each : {&read, &write, &failed}) {
        each->fd_count = 1;
        each->fd_array[0] = socket_of(socket);
    }
    timeval at_once{};
    if (::select(0, &read, &write, &failed, &at_once) == SOCKET_ERROR) return {.failed = true};
    return {.to_read = read.fd_count != 0, .to_write = write.fd_count != 0, .failed = failed.fd_count != 0};
}

/// An event that is set when something of a socket changes.
class SocketEvent {
public:
    SocketEvent(const Socket& socket, long changes)
        : socket_(socket_of(socket)), event_(own(::CreateEventW(nullptr, TRUE, FALSE, nullptr)))
    {
        ::WSAEventSelect(socket_, event(), changes);
    }
    SocketEvent(const SocketEvent&) = delete;
    SocketEvent& operator=(const SocketEvent&) = delete;
    ~SocketEvent() { ::WSAEventSelect(socket_, nullptr, 0); }
    [[nodiscard]] HANDLE event() const noexcept { return handle_of(event_); }

private:
    SOCKET socket_;
    FileHandle event_;
};

}  // namespace

static_assert(sizeof(SocketAddress::storage) >= sizeof(sockaddr_storage));
static_assert(alignof(SocketAddress) >= alignof(sockaddr_storage));

void Socket::close_now() noexcept { ::closesocket(static_cast<SOCKET>(release())); }

std::string SocketAddress::text() const
{
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port_text{};
    if (::getnameinfo(form_of(*this), static_cast<socklen_t>(size), host.data(), host.size(), port_text.data(),
                      port_text.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
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
    start_sockets();
    const bool everywhere = host == "*";
    ADDRINFOW hints{};
    hints.ai_family = everywhere ? AF_INET : AF_UNSPEC;
    hints.ai_socktype = type_of(kind);
    hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
    ADDRINFOW* found = nullptr;
    const auto host_name = wide(host);
    const auto result =
        ::GetAddrInfoW(everywhere ? nullptr : host_name.c_str(), std::to_wstring(port).c_str(), &hints, &found);
    if (result != 0)
        throw Error(Cause::io, {.file = name},
                    "cannot resolve " + host + ": " + error_of(static_cast<DWORD>(result)).message());
    const std::unique_ptr<ADDRINFOW, decltype(&::FreeAddrInfoW)> owner(found, &::FreeAddrInfoW);
    std::vector<SocketAddress> addresses;
    for (const auto* each = found; each; each = each->ai_next) {
        auto& added = addresses.emplace_back();
        added.size = static_cast<std::uint32_t>(each->ai_addrlen);
        std::memcpy(added.storage.data(), each->ai_addr, each->ai_addrlen);
    }
    return addresses;
}

bool is_numeric_address(const std::string& host) noexcept
{
    start_sockets();
    std::array<unsigned char, 16> parsed{};
    return ::inet_pton(AF_INET, host.c_str(), parsed.data()) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), parsed.data()) == 1;
}

Socket open_socket(const SocketAddress& address, SocketKind kind, std::error_code& error) noexcept
{
    start_sockets();
    auto socket = prepared(::WSASocketW(form_of(address)->sa_family, type_of(kind), 0, nullptr, 0,
                                        WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT));
    if (!socket) error = last_socket_error();
    if (socket && kind == SocketKind::datagram) {
        // Else receiving fails after a datagram was sent to a port where nobody listens.
        BOOL off = FALSE;
        DWORD none = 0;
        ::WSAIoctl(socket_of(socket), SIO_UDP_CONNRESET, &off, sizeof off, nullptr, 0, &none, nullptr, nullptr);
    }
    return socket;
}

Socket open_listening(const SocketAddress& address, SocketKind kind, std::error_code& error) noexcept
{
    constexpr int backlog = 16;
    auto socket = open_socket(address, kind, error);
    if (!socket) return socket;
    const bool is_stream = kind == SocketKind::stream;
    // Else another program can take the port away.
    if (is_stream) set(socket, SOL_SOCKET, static_cast<int>(SO_EXCLUSIVEADDRUSE), 1);
    if (::bind(socket_of(socket), form_of(address), static_cast<int>(address.size)) == 0 &&
        (!is_stream || ::listen(socket_of(socket), backlog) == 0))
        return socket;
    error = last_socket_error();
    return {};
}

SocketAddress address_of(const Socket& socket) noexcept
{
    SocketAddress address;
    int size = sizeof address.storage;
    ::getsockname(socket_of(socket), form_of(address), &size);
    address.size = static_cast<std::uint32_t>(size);
    return address;
}

Socket accept_peer(const Socket& listener) noexcept
{
    return prepared(::accept(socket_of(listener), nullptr, nullptr));
}

std::error_code start_connecting(const Socket& socket, const SocketAddress& address) noexcept
{
    if (::connect(socket_of(socket), form_of(address), static_cast<int>(address.size)) == 0) return {};
    const auto error = last_socket_error();
    return would_block(error) ? std::error_code() : error;
}

std::optional<std::error_code> result_of_connecting(const Socket& socket) noexcept
{
    const auto state = state_of(socket);
    if (!state.failed) return state.to_write ? std::optional(std::error_code()) : std::nullopt;
    int error = 0;
    int size = sizeof error;
    ::getsockopt(socket_of(socket), SOL_SOCKET, SO_ERROR, reinterpret_cast<char*>(&error), &size);
    return error_of(static_cast<DWORD>(error == 0 ? WSAECONNREFUSED : error));
}

bool has_gone(const Socket& socket) noexcept
{
    char next = 0;
    if (::recv(socket_of(socket), &next, 1, MSG_PEEK) >= 0) return false;
    return !would_block(last_socket_error());
}

void use_for_messages(const Socket& socket) noexcept
{
    set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
    set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
}

void allow_broadcast(const Socket& socket) noexcept { set(socket, SOL_SOCKET, SO_BROADCAST, 1); }

void set_receive_buffer(const Socket& socket, int bytes) noexcept { set(socket, SOL_SOCKET, SO_RCVBUF, bytes); }

// Windows does not count them.
void count_dropped_datagrams(const Socket&) noexcept {}
std::optional<std::uint32_t> dropped_datagrams(const Socket&) noexcept { return std::nullopt; }

std::size_t send_pieces(const Socket& socket, std::span<const Bytes> pieces, std::error_code& error) noexcept
{
    std::array<WSABUF, 2> parts{};
    assert(pieces.size() <= parts.size());
    std::ranges::transform(pieces, parts.begin(),
                           [](Bytes piece) { return buffer_of({const_cast<std::byte*>(piece.data()), piece.size()}); });
    DWORD sent = 0;
    if (::WSASend(socket_of(socket), parts.data(), static_cast<DWORD>(pieces.size()), &sent, 0, nullptr, nullptr) == 0)
        return sent;
    error = last_socket_error();
    return 0;
}

std::size_t receive_some(const Socket& socket, std::span<std::byte> into, std::error_code& error) noexcept
{
    auto buffer = buffer_of(into);
    DWORD count = 0;
    DWORD flags = 0;
    if (::WSARecv(socket_of(socket), &buffer, 1, &count, &flags, nullptr, nullptr) == 0) return count;
    error = last_socket_error();
    return 0;
}

std::size_t receive_datagram(const Socket& socket, std::span<std::byte> into, SocketAddress& from, std::uint32_t&,
                             std::error_code& error) noexcept
{
    auto buffer = buffer_of(into);
    DWORD count = 0;
    DWORD flags = 0;
    int size = sizeof from.storage;
    const bool received =
        ::WSARecvFrom(socket_of(socket), &buffer, 1, &count, &flags, form_of(from), &size, nullptr, nullptr) == 0;
    from.size = static_cast<std::uint32_t>(size);
    if (received) return count;
    const auto failed = last_socket_error();
    if (failed == std::errc::message_size) return into.size();  // of a longer one the rest is lost
    error = failed;
    return 0;
}

void end_sending(const Socket& socket) noexcept { ::shutdown(socket_of(socket), SD_SEND); }

// Windows sends what is left after the socket is closed, and after the program has ended.
bool all_has_arrived(const Socket&) noexcept { return true; }

Waited StoppableWait::wait(const Socket& socket, Ready ready, const Deadline& deadline, const std::stop_token& stop)
{
    // Windows reports that a socket can be written only after it could not be.
    constexpr DWORD longest_to_write = 20;
    const auto stopped = handle_of(stopped_);
    ::ResetEvent(stopped);
    const std::stop_callback wake(stop, [stopped] { ::SetEvent(stopped); });
    const SocketEvent changed(
        socket, ready == Ready::to_read ? FD_READ | FD_ACCEPT | FD_CLOSE : FD_WRITE | FD_CONNECT | FD_CLOSE);
    while (!stop.stop_requested()) {
        const auto state = state_of(socket);
        if (state.failed || (ready == Ready::to_read ? state.to_read : state.to_write)) return Waited::ready;
        if (passed(deadline)) return Waited::timed_out;
        const std::array events{stopped, changed.event()};
        const auto longest = milliseconds_to(deadline);
        ::WaitForMultipleObjects(static_cast<DWORD>(events.size()), events.data(), FALSE,
                                 ready == Ready::to_read ? longest : std::min(longest, longest_to_write));
        ::ResetEvent(changed.event());
    }
    return Waited::stopped;
}

StopSocket::StopSocket()
{
    SocketAddress here;
    auto* const form = reinterpret_cast<sockaddr_in*>(here.storage.data());
    form->sin_family = AF_INET;
    form->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    here.size = sizeof *form;
    std::error_code error;
    const auto listener = open_listening(here, SocketKind::stream, error);
    if (listener) here = address_of(listener);
    if (listener) writable_ = open_socket(here, SocketKind::stream, error);
    if (writable_) error = start_connecting(writable_, here);
    // Somebody else may connect to the port first.
    while (!error && !(readable_ && peer_of(readable_) == address_of(writable_))) {
        while (!state_of(listener).to_read) ::Sleep(0);
        readable_ = accept_peer(listener);
    }
    if (error) throw_system_error(error, {}, "socket");
    use_for_messages(writable_);
}

void StopSocket::raise() const noexcept { ::send(socket_of(writable_), "", 1, 0); }

void StopSocket::reset() noexcept
{
    std::array<char, 64> signals;
    while (::recv(socket_of(readable_), signals.data(), static_cast<int>(signals.size()), 0) > 0) continue;
}

}  // namespace ositrace
