// SPDX-License-Identifier: MPL-2.0
#include "lib/net/tcp_connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#include <cerrno>

namespace ositrace::net {

namespace {

bool has_gone(const Socket& socket)
{
    pollfd state{socket.get(), 0, 0};
    return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

TcpConnection::TcpConnection(const NetworkAddress& address, bool listens) : address_(address)
{
    if (listens)
        listener_ = open_listening(address, SOCK_STREAM);
    else
        places_ = resolve(address, false);
}

bool TcpConnection::advance()
{
    if (connection_ && !has_gone(connection_)) return true;
    connection_.close();
    return listener_ ? accept() : connect();
}

bool TcpConnection::accept()
{
    Socket accepted(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    return accepted && connected(std::move(accepted));
}

bool TcpConnection::connect()
{
    if (!pending_) {
        if (std::chrono::steady_clock::now() < next_try_) return false;
        start_connecting();
    }
    return pending_ && finish_connecting();
}

void TcpConnection::start_connecting()
{
    const auto& place = places_[place_];
    pending_ = open_socket(place, SOCK_STREAM, address_);
    if (::connect(pending_.get(), place.get(), place.size) != 0 && errno != EINPROGRESS) failed();
}

bool TcpConnection::finish_connecting()
{
    pollfd state{pending_.get(), POLLOUT, 0};
    if (::poll(&state, 1, 0) <= 0) return false;
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(pending_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return failed();
    place_ = 0;
    return connected(std::exchange(pending_, {}));
}

/// Tries the next address of the host at once, and the first one again after a while.
bool TcpConnection::failed() noexcept
{
    pending_.close();
    place_ = (place_ + 1) % places_.size();
    if (place_ == 0) next_try_ = std::chrono::steady_clock::now() + retry_after;
    return false;
}

bool TcpConnection::connected(Socket socket)
{
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    connection_ = std::move(socket);
    return true;
}

bool TcpConnection::wait(const Deadline& deadline, const std::stop_token& stop)
{
    while (!advance()) {
        Waited waited{};
        if (listener_)
            waited = wait_.wait(listener_.get(), POLLIN, deadline, stop);
        else if (pending_)
            waited = wait_.wait(pending_.get(), POLLOUT, deadline, stop);
        else
            waited = wait_.wait(-1, 0, earlier(next_try_, deadline), stop);
        if (waited == Waited::stopped || passed(deadline)) return false;
    }
    return true;
}

}  // namespace ositrace::net
