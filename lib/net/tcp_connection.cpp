// SPDX-License-Identifier: MPL-2.0
#include "lib/net/tcp_connection.hpp"

namespace ositrace::net {

TcpConnection::TcpConnection(const NetworkAddress& address, bool listens) : address_(address)
{
    if (listens)
        listener_ = open_listening(address, SocketKind::stream);
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
    auto accepted = accept_peer(listener_);
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
    pending_ = open_socket(place, SocketKind::stream, address_);
    if (ositrace::start_connecting(pending_, place)) failed();
}

bool TcpConnection::finish_connecting()
{
    const auto result = result_of_connecting(pending_);
    if (!result) return false;
    if (*result) return failed();
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
    use_for_messages(socket);
    connection_ = std::move(socket);
    return true;
}

bool TcpConnection::wait(const Deadline& deadline, const std::stop_token& stop)
{
    while (!advance()) {
        Waited waited{};
        if (listener_)
            waited = wait_.wait(listener_, Ready::to_read, deadline, stop);
        else if (pending_)
            waited = wait_.wait(pending_, Ready::to_write, deadline, stop);
        else
            waited = wait_.pause(earlier(next_try_, deadline), stop);
        if (waited == Waited::stopped || passed(deadline)) return false;
    }
    return true;
}

}  // namespace ositrace::net
