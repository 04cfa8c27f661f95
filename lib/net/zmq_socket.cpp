// SPDX-License-Identifier: MPL-2.0
#include "lib/net/zmq_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include <ositrace/error.hpp>

namespace ositrace::net {

void ZmqSocket::EndContext::operator()(void* context) const noexcept
{
    while (::zmq_ctx_term(context) != 0 && zmq_errno() == EINTR) {
    }
}

ZmqSocket::ZmqSocket(int type, const NetworkAddress& address) : address_(address), context_(::zmq_ctx_new())
{
    if (!context_) fail("context");
    socket_.reset(::zmq_socket(context_.get(), type));
    if (!socket_) fail("socket");
    set(ZMQ_LINGER, 0);
    set(ZMQ_SNDHWM, queued_messages);
    set(ZMQ_RCVHWM, queued_messages);
    set(ZMQ_IPV6, address.host.find(':') != std::string::npos ? 1 : 0);
    set(ZMQ_RECONNECT_IVL, static_cast<int>(retry_after.count()));
}

void ZmqSocket::set(int option, int value)
{
    if (::zmq_setsockopt(socket_.get(), option, &value, sizeof value) != 0) fail("option " + std::to_string(option));
}

void ZmqSocket::set_large(int option, std::int64_t value)
{
    if (::zmq_setsockopt(socket_.get(), option, &value, sizeof value) != 0) fail("option " + std::to_string(option));
}

void ZmqSocket::subscribe_to_all()
{
    if (::zmq_setsockopt(socket_.get(), ZMQ_SUBSCRIBE, "", 0) != 0) fail("subscribe");
}

/// ZeroMQ binds to numeric addresses and interfaces; it does not resolve names.
std::string ZmqSocket::endpoint(bool bind) const
{
    const auto port = std::to_string(address_.port);
    const bool number = address_.host.find(':') != std::string::npos;
    if (bind && address_.host == "localhost") return "tcp://127.0.0.1:" + port;
    return "tcp://" + (number ? "[" + address_.host + "]" : address_.host) + ":" + port;
}

void ZmqSocket::open(bool bind)
{
    if (!bind && (address_.host == "*" || address_.port == 0))
        throw Error(Cause::usage, {.file = to_string(address_)},
                    "* and port 0 are addresses to bind to, not to connect to");
    const auto place = endpoint(bind);
    if (!bind) {
        if (::zmq_connect(socket_.get(), place.c_str()) != 0) fail("connect");
        return;
    }
    if (::zmq_bind(socket_.get(), place.c_str()) != 0)
        throw_listen_error({zmq_errno(), std::generic_category()}, address_);
    std::array<char, 256> bound{};
    std::size_t size = bound.size();
    if (::zmq_getsockopt(socket_.get(), ZMQ_LAST_ENDPOINT, bound.data(), &size) != 0) fail("last endpoint");
    const std::string_view text(bound.data());
    const auto digits = text.substr(text.rfind(':') + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), port_);
}

Waited ZmqSocket::wait(short events, const Deadline& deadline, const std::stop_token& stop)
{
    stopped_.reset();
    const StopSocket::Armed armed(stopped_, stop);
    const auto stopped = static_cast<decltype(zmq_pollitem_t::fd)>(stopped_.native());
    std::array<zmq_pollitem_t, 2> items{zmq_pollitem_t{nullptr, stopped, ZMQ_POLLIN, 0},
                                        zmq_pollitem_t{socket_.get(), 0, events, 0}};
    constexpr std::int64_t longest_wait = 60'000;  // ms; a long has 32 bits on Windows
    while (!stop.stop_requested()) {
        const auto left =
            deadline
                ? std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now()).count()
                : -1;
        const auto most = deadline ? static_cast<long>(std::clamp<std::int64_t>(left, 0, longest_wait)) : -1;
        const auto ready = ::zmq_poll(items.data(), static_cast<int>(items.size()), most);
        if (ready < 0 && zmq_errno() != EINTR) fail("poll");
        if (ready > 0 && items[1].revents != 0) return Waited::ready;
        if (ready <= 0 && passed(deadline)) return Waited::timed_out;
    }
    return Waited::stopped;
}

void ZmqSocket::close(std::chrono::milliseconds linger) noexcept
{
    const auto milliseconds = static_cast<int>(linger.count());
    if (socket_) ::zmq_setsockopt(socket_.get(), ZMQ_LINGER, &milliseconds, sizeof milliseconds);
    socket_.reset();
    context_.reset();
}

void ZmqSocket::fail(std::string_view doing) const
{
    throw Error(Cause::io, {.file = to_string(address_)},
                "ZeroMQ " + std::string(doing) + ": " + ::zmq_strerror(zmq_errno()));
}

ZmqMessage::ZmqMessage(const Frame& frame)
{
    const auto size = frame.bytes.size();
    int result = 0;
    if (!frame.owner) {
        result = ::zmq_msg_init_size(&message_, size);
        if (result == 0)
            std::copy(frame.bytes.begin(), frame.bytes.end(), static_cast<std::byte*>(::zmq_msg_data(&message_)));
    } else {
        auto owner = std::make_unique<std::shared_ptr<const void>>(frame.owner);
        const auto release = [](void*, void* hint) { delete static_cast<std::shared_ptr<const void>*>(hint); };
        result = ::zmq_msg_init_data(&message_, const_cast<std::byte*>(frame.bytes.data()), size, release, owner.get());
        if (result == 0) static_cast<void>(owner.release());
    }
    if (result != 0) throw std::bad_alloc();
}

}  // namespace ositrace::net
