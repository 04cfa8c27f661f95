// SPDX-License-Identifier: MPL-2.0
// Receives a live stream from a socket.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <ositrace/network_address.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Messages that were not received completely, or not at all.
struct LostMessage {
    std::uint64_t frame = 0;  ///< index of the next complete message
    std::string why;
    std::uint64_t count = 1;
    bool at_least = false;  ///< more may be lost: UDP does not report losses, nor every Foxglove server their number
};

struct NetworkOptions {
    std::optional<MessageType> type;  ///< empty: recognised by content
    std::optional<Encoding> encoding;
    std::optional<Layout> layout;
    std::shared_ptr<const Schema> schema;  ///< null: the built-in one
    std::string topic;                     ///< of the only channel; empty: the name of its type
    std::size_t max_message_bytes = default_max_message_bytes;
    bool next_sender = false;  ///< TCP: wait for the next sender when one disconnects; else the stream ends
    std::stop_token stop;      ///< ends the wait for the first message: Error (cancelled)
    std::function<void(const NetworkAddress&)>
        on_open{};  ///< called when it listens or begins to connect, before it waits for the first message
    std::function<void(const std::string&)> on_note{};  ///< an empty message is left out; Foxglove: why a channel is
                                                        ///< left out; with the address
    /// Foxglove: a warning or an error that the server sent, in its words.
    std::function<void(const std::string&)> on_server_warning{};
    /// Called by open_network(), read(), and at the end of a source for a message that had begun to arrive. Foxglove:
    /// also for messages that a server of ositrace reports as dropped, and once where the words of another say so.
    std::function<void(const LostMessage&)> on_lost{};
    /// Foxglove: the connection ended, but the server did not say so: messages may be missing. With the address.
    std::function<void(const std::string&)> on_cut_off{};
};

class NetworkSource : public FrameSource {
public:
    /// With the actual port if the requested one is 0.
    [[nodiscard]] virtual const NetworkAddress& address() const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t lost() const noexcept = 0;
};

/// The source has one channel (Foxglove: see below). It waits for the first message to recognise encoding and type (up
/// to four messages if the first is ambiguous); if the options contain both it does not wait. UDP: a message whose
/// parts are missing or out of order is lost. ZeroMQ and UDP never end. read() throws Error with the address, the
/// number of the frame and the byte of the stream. It may be called again afterwards: a TCP receiver that listens
/// continues with the next sender.
///
/// Foxglove: connects to a server (and waits until there is one), subscribes to its OSI channels, Protobuf and
/// FlatBuffers, and ends when the server closes the connection. Channels that are advertised later are added
/// (TraceInfo::may_grow). Log times are those of the server. `type` and `encoding` are what the server states.
[[nodiscard]] std::unique_ptr<NetworkSource> open_network(const NetworkAddress& address,
                                                          const NetworkOptions& options = {});

}  // namespace ositrace
