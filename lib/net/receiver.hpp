// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/network_address.hpp>

namespace ositrace::net {

/// A received message.
struct Received {
    Bytes bytes;
    std::shared_ptr<const void> owner;
    std::uint64_t offset = 0;  ///< of its first byte (of its length or first part) in all bytes received
};

struct ReceiverOptions {
    std::size_t max_message_bytes = 0;
    bool next_sender = false;  ///< wait for the next sender when one has disconnected
    std::function<void(std::string why, std::uint64_t count)> lost;  ///< called when messages were lost
    std::function<void(std::string text)> note = {};                 ///< called for a peer that is no sender
};

/// The receiving end of a transport. It listens from its construction on. One thread at a time.
class Receiver {
public:
    virtual ~Receiver() = default;
    /// The port it listens at; 0 if it does not listen.
    [[nodiscard]] virtual std::uint16_t port() const { return 0; }
    /// Waits for the next message; returns false if the sender has ended, or a stop was requested. Throws Error.
    virtual bool receive(Received& message, const std::stop_token& stop) = 0;
    /// Nothing more is received: reports what is lost and has not been reported.
    virtual void end() {}
    /// Bytes received so far, including framing.
    [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<Receiver> make_tcp_receiver(const NetworkAddress& address,
                                                          const ReceiverOptions& options);
[[nodiscard]] std::unique_ptr<Receiver> make_udp_receiver(const NetworkAddress& address,
                                                          const ReceiverOptions& options);
[[nodiscard]] std::unique_ptr<Receiver> make_zmq_pull(const NetworkAddress& address, const ReceiverOptions& options);
[[nodiscard]] std::unique_ptr<Receiver> make_zmq_sub(const NetworkAddress& address, const ReceiverOptions& options);

}  // namespace ositrace::net
