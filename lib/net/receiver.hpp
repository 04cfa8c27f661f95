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
    std::uint64_t offset = 0;  ///< of its first byte (its length, its first part) among the bytes of this end
};

struct ReceiverOptions {
    std::size_t max_message_bytes = 0;
    bool next_sender = false;                   ///< when a sender has gone, wait for the next
    std::function<void(std::string why)> lost;  ///< a message was lost
};

/// One end of a transport that messages come out of. It listens when it is made. One thread at a time.
class Receiver {
public:
    virtual ~Receiver() = default;
    /// That it listens at; 0 where it does not.
    [[nodiscard]] virtual std::uint16_t port() const { return 0; }
    /// Waits for the next message; false: the sender has ended, or a stop was requested. Throws Error.
    virtual bool receive(Received& message, const std::stop_token& stop) = 0;
    /// So far, framing included.
    [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<Receiver> make_tcp_receiver(const NetworkAddress& address,
                                                          const ReceiverOptions& options);
[[nodiscard]] std::unique_ptr<Receiver> make_udp_receiver(const NetworkAddress& address,
                                                          const ReceiverOptions& options);
[[nodiscard]] std::unique_ptr<Receiver> make_zmq_pull(const NetworkAddress& address, const ReceiverOptions& options);
[[nodiscard]] std::unique_ptr<Receiver> make_zmq_sub(const NetworkAddress& address, const ReceiverOptions& options);

}  // namespace ositrace::net
