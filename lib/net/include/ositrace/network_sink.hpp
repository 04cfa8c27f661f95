// SPDX-License-Identifier: MPL-2.0
// Sends the frames of a replay to a socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <ositrace/frame_sink.hpp>
#include <ositrace/network_address.hpp>

namespace ositrace {

/// UDP: parts of messages that the system refused, or that no receiver accepted according to an earlier error.
struct NetworkRefusals {
    std::uint64_t parts = 0;
    int last_error = 0;  ///< of std::system_category()
};

/// The numbers of frames that were passed to the system or to ZeroMQ, and of those that were not. A sender does not
/// know about later losses.
struct NetworkCounts {
    std::uint64_t sent = 0;
    /// There was no receiver, it disconnected, or (ZeroMQ PUB) its queue was full. With several subscribers ZeroMQ does
    /// not report every drop.
    std::uint64_t not_delivered = 0;
    bool at_least = false;  ///< not_delivered: receivers had not taken all that was queued when the wait for it ended
    NetworkRefusals refused;
    Nanoseconds waited{};  ///< time spent in sending
};

struct NetworkSinkOptions {
    /// How long begin() waits for the first receiver before it throws Error (io); not with UDP, which cannot detect
    /// receivers. 0: it does not wait. Empty: ZeroMQ PUB does not wait, the others wait until the stop.
    /// NetworkAddress::wait takes precedence. With NetworkAddress::subscribers, PUB waits for this many as the others
    /// do.
    std::optional<std::chrono::milliseconds> wait;
    /// How long finish() waits for unsent data to arrive; after a stop it does not wait.
    std::chrono::milliseconds linger{5000};
    std::stop_token stop;  ///< ends every wait at once (but not the linger of ZeroMQ, once it has begun)
    std::function<void(const NetworkAddress&)> on_waiting{};  ///< called if begin() has to wait
    // From any thread, with the address: what a client did wrong or missed, and who connects and disconnects.
    std::function<void(const std::string&)> on_note{};
    std::function<void(const std::string&)> on_detail{};
};

/// Sends the payload of every frame.
///
/// A slow receiver: ZeroMQ PUSH and TCP wait for it without a limit, so that frames are late (a player may then drop
/// them); PUB drops messages that do not fit into the subscriber's queue of 32 messages; UDP sends at
/// NetworkAddress::pace. A receiver that has disconnected: PUSH waits for the next one; TCP connects or accepts again,
/// and meanwhile frames count as not delivered; PUB and UDP send to the remaining ones. TCP has one receiver at a time,
/// others wait for their turn. These transports do not transmit the channel of a message, so a trace of several
/// channels is refused: Error (usage).
///
/// Foxglove serves any number of channels to up to 64 clients. It sends what a client has subscribed to; a client that
/// reads too slowly misses whole steps (64 of them and 64 MiB are queued for it, but always the newest, and the last
/// messages with each part of the map) and delays neither another client nor the player. All messages of a step have
/// its time in the trace (PlayStatus::time), as those of ZeroMQ with topic parts. NetworkCounts then counts the
/// messages to all clients. A late subscriber first receives the last messages with each part of the map, as a trace
/// may send it only once, and the last message. The player's thread waits only where the server's thread has 64 steps
/// to send.
class NetworkSink : public FrameSink {
public:
    /// With the actual port if the requested one is 0.
    [[nodiscard]] virtual const NetworkAddress& address() const noexcept = 0;
    [[nodiscard]] virtual NetworkCounts counts() const noexcept = 0;
    /// Any thread: a damaged place in the trace was skipped. Foxglove reports it to its clients.
    virtual void tell_of_damage(const std::string& what) { static_cast<void>(what); }
};

/// A sink that listens does so at once. Throws Error (io, usage, unsupported) with the address.
[[nodiscard]] std::unique_ptr<NetworkSink> open_network_sink(const NetworkAddress& address,
                                                             NetworkSinkOptions options = {});

}  // namespace ositrace
