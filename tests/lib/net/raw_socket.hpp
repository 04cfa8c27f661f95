// SPDX-License-Identifier: MPL-2.0
// The other end, written against what the field's programs do and with nothing of the library: plain blocking sockets.
// Whatever takes longer than 20 s ends in a failure.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

class RawSocket {
public:
    explicit RawSocket(int descriptor) : descriptor_(descriptor)
    {
        if (descriptor < 0) throw std::runtime_error(std::string("raw socket: ") + std::strerror(errno));
        const timeval limit{20, 0};
        ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    }
    RawSocket(RawSocket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    RawSocket& operator=(RawSocket&& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~RawSocket() { close(); }
    void close()
    {
        if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    }

    /// On 127.0.0.1; port 0: a free one.
    static RawSocket bound(int type, std::uint16_t port = 0, int receive_buffer = 0)
    {
        RawSocket socket(::socket(AF_INET, type, 0));
        const int on = 1;
        ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (receive_buffer != 0)
            ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        const auto place = loopback(port);
        if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0)
            throw std::runtime_error("raw bind");
        if (type == SOCK_STREAM && ::listen(socket.get(), 4) != 0) throw std::runtime_error("raw listen");
        return socket;
    }
    static RawSocket connected(int type, std::uint16_t port)
    {
        RawSocket socket(::socket(AF_INET, type, 0));
        const auto place = loopback(port);
        if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0)
            throw std::runtime_error("raw connect");
        return socket;
    }
    [[nodiscard]] RawSocket accept() const { return RawSocket(::accept(descriptor_, nullptr, nullptr)); }

    [[nodiscard]] int get() const { return descriptor_; }
    [[nodiscard]] std::uint16_t port() const
    {
        sockaddr_in place{};
        socklen_t size = sizeof place;
        ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&place), &size);
        return ntohs(place.sin_port);
    }

    void send(const std::string& bytes) const
    {
        if (::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL) != std::ssize(bytes))
            throw std::runtime_error("raw send");
    }
    /// What one call gives: a datagram; empty at the end.
    [[nodiscard]] std::string receive(std::size_t most = 65536) const
    {
        std::string bytes(most, '\0');
        const auto count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
        if (count < 0) throw std::runtime_error("raw receive");
        bytes.resize(static_cast<std::size_t>(count));
        return bytes;
    }
    /// As OSMPCNetworkProxy receives: an int, then that many bytes; nothing when the sender has ended.
    [[nodiscard]] std::optional<std::string> receive_message() const
    {
        int size = 0;
        const auto got = ::recv(descriptor_, &size, sizeof size, MSG_WAITALL);
        if (got == 0) return std::nullopt;
        if (got != sizeof size) throw std::runtime_error("raw receive of a length");
        std::string message(static_cast<std::size_t>(size), '\0');
        if (size != 0 && ::recv(descriptor_, message.data(), message.size(), MSG_WAITALL) != size)
            throw std::runtime_error("raw receive of a message");
        return message;
    }
    [[nodiscard]] std::vector<std::string> receive_all_messages() const
    {
        std::vector<std::string> messages;
        while (auto message = receive_message()) messages.push_back(std::move(*message));
        return messages;
    }

private:
    static sockaddr_in loopback(std::uint16_t port)
    {
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_port = htons(port);
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return place;
    }
    int descriptor_;
};

/// As OSMPCNetworkProxy sends.
inline std::string behind_its_length(const std::string& message)
{
    const int size = static_cast<int>(message.size());
    return std::string(reinterpret_cast<const char*>(&size), sizeof size) + message;
}

/// As esmini sends.
inline std::string datagram(std::int32_t counter, const std::string& part)
{
    const auto size = static_cast<unsigned int>(part.size());
    return std::string(reinterpret_cast<const char*>(&counter), 4) +
           std::string(reinterpret_cast<const char*>(&size), 4) + part;
}
