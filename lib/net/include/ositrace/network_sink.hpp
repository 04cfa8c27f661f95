// SPDX-License-Identifier: MPL-2.0
// Sends the frames of a replay to a socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/frame_sink.hpp>
#include <ositrace/network_address.hpp>

namespace ositrace {

/// UDP: parts of messages that the system did not take, or that an earlier error says nobody took.
struct NetworkRefusals {
    std::uint64_t parts = 0;
    int last_error = 0;  ///< errno
};

/// Frames that were passed to the system or to ZeroMQ, and frames that were not. Later losses are unknown to a sender.
struct NetworkCounts {
    std::uint64_t sent = 0;
    /// No receiver was there, it went away, or (ZeroMQ PUB) its queue was full. Of several subscribers ZeroMQ does not
    /// show every drop.
    std::uint64_t not_delivered = 0;
    NetworkRefusals refused;
    Nanoseconds waited{};  ///< time spent in sending
};

struct NetworkSinkOptions {
    /// How long begin() waits for the first receiver, where the transport can tell that there is one (not UDP), before
    /// it throws Error (io). 0: it does not wait. Empty: ZeroMQ PUB does not, the others wait until the stop.
    /// NetworkAddress::wait comes first. With NetworkAddress::subscribers PUB waits as the others do, for that many.
    std::optional<std::chrono::milliseconds> wait;
    /// How long finish() gives what is on its way to arrive; after a stop it gives nothing.
    std::chrono::milliseconds linger{5000};
    std::stop_token stop;  ///< ends every wait at once (but not the linger of ZeroMQ, once it has begun)
    std::function<void(const NetworkAddress&)> on_waiting{};  ///< begin() has to wait
};

/// Sends the payload of every frame.
///
/// A receiver that is slow: ZeroMQ PUSH and TCP wait for it, without limit, so that frames come late (a player may then
/// drop them); PUB drops what a subscriber has no room for in its queue of 32 messages; UDP sends, at
/// NetworkAddress::pace. A receiver that is gone: PUSH waits for the next, TCP connects or accepts again, while frames
/// count as not delivered; PUB and UDP send to whoever is there. TCP has one receiver at a time, others wait for their
/// turn. None of the transports says what a message is, so a trace of several channels is refused: Error (usage).
class NetworkSink : public FrameSink {
public:
    /// With the actual port if the requested one is 0.
    [[nodiscard]] virtual const NetworkAddress& address() const noexcept = 0;
    [[nodiscard]] virtual NetworkCounts counts() const noexcept = 0;
};

/// A sink that listens does so at once. Throws Error (io, usage, unsupported) naming the address.
[[nodiscard]] std::unique_ptr<NetworkSink> open_network_sink(const NetworkAddress& address,
                                                             NetworkSinkOptions options = {});

}  // namespace ositrace
