// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include <ositrace/frame.hpp>
#include <ositrace/network_address.hpp>
#include <ositrace/network_sink.hpp>

#include "lib/system/stoppable_wait.hpp"

namespace ositrace::net {

enum class Sent : std::uint8_t {
    yes,
    not_delivered,  ///< to no receiver, or not to all
    stopped,        ///< a stop was requested during the wait
};

/// What a transport may send with a payload.
struct FrameLabel {
    std::string_view topic;
    Nanoseconds time{};  ///< of its step in the trace
};

/// The sending end of a transport. It listens from its construction on. One thread at a time.
class Sender {
public:
    virtual ~Sender() = default;
    /// The port it listens at; 0 if it does not listen.
    [[nodiscard]] virtual std::uint16_t port() const { return 0; }
    /// Number of receivers; 1 if the transport cannot count them. Never blocks.
    virtual std::uint64_t receivers() = 0;
    /// Waits until there are this many receivers; returns false if the deadline has passed or a stop was requested.
    virtual bool wait_for_receivers(std::uint64_t count, const Deadline& deadline, const std::stop_token& stop) = 0;
    /// Waits for a slow receiver. Throws Error if no later frame can be sent either.
    virtual Sent send(const Frame& frame, const FrameLabel& label, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual NetworkRefusals refusals() const noexcept { return {}; }
    /// Waits at most this long for unsent data to arrive. False: that was not long enough, and some of it is lost.
    [[nodiscard]] virtual bool finish(std::chrono::milliseconds linger, const std::stop_token& stop) = 0;
};

[[nodiscard]] std::unique_ptr<Sender> make_tcp_sender(const NetworkAddress& address);
[[nodiscard]] std::unique_ptr<Sender> make_udp_sender(const NetworkAddress& address);
[[nodiscard]] std::unique_ptr<Sender> make_zmq_push(const NetworkAddress& address);
[[nodiscard]] std::unique_ptr<Sender> make_zmq_pub(const NetworkAddress& address);

}  // namespace ositrace::net
