// SPDX-License-Identifier: MPL-2.0
// The name of a socket on the command line: `zmq+push://*:5555`, `udp://[::1]?pace=20`,
// `tcp://10.0.0.7:5000?listen&wait=5`, `foxglove://`, `web://`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ositrace {

enum class Transport : std::uint8_t {
    zmq_push,  ///< ZeroMQ, one message = one payload, like openMSL's player
    zmq_pull,
    zmq_pub,
    zmq_sub,
    tcp,       ///< each payload after its 4-byte length, like OSMPCNetworkProxy
    udp,       ///< payloads in parts of up to 8192 bytes, like esmini
    foxglove,  ///< WebSocket in the protocol of Foxglove and Lichtblick; several channels; not encrypted
    web,       ///< a page for browsers: open_web_sink(); several channels; not encrypted
};

struct NetworkAddress {
    Transport transport = Transport::tcp;
    std::string host;        ///< name or number, IPv6 without its brackets; `*` = all interfaces (IPv4)
    std::uint16_t port = 0;  ///< 0 for an end that listens: any free port
    /// `?listen`, `?connect`. Empty: an address with `*` listens; of the others, ZeroMQ senders listen, ZeroMQ
    /// receivers and both ends of TCP connect.
    std::optional<bool> listen;
    /// `?wait=SECONDS`: how long a sender waits for its first receiver; empty: see NetworkSinkOptions.
    std::optional<std::chrono::milliseconds> wait;
    /// `?subscribers=N`: ZeroMQ PUB, Foxglove and a page begin when this many have subscribed; without `wait` they wait
    /// until the stop.
    std::optional<std::uint32_t> subscribers;
    /// `?pace=MB_PER_SECOND`: a UDP sender spreads the parts of a message over time; in bytes per second, 0: it does
    /// not. Twenty parts fill the default receive buffer of a Linux socket; further parts are lost silently.
    std::uint64_t pace = 50'000'000;
    /// `?part=BYTES`: how much of a message a UDP sender puts into a datagram, 1 to 65499.
    std::size_t part_bytes = 8192;
    /// `?parts=topic`: a ZeroMQ message is topic, payload and time (a text of seconds) instead of the payload alone.
    bool topic_parts = false;
    /// `?flatbuffers`: a Foxglove server offers FlatBuffers channels as they are, instead of converting to Protobuf.
    bool flatbuffers = false;
    /// `?static=expand`: a Foxglove server sends the map with every message, as expand_static() does.
    bool expand_static = false;
    /// `?points=N`: a page shows at most so many points of each lidar or radar cloud; 0: none.
    std::size_t points_per_cloud = 2000;
    /// `?from=model`: of a program that plays to models, a sender sends what the models return.
    bool from_models = false;
};

/// Does the text begin like an address, with a word of letters and `+`, then `://`?
[[nodiscard]] bool is_network_address(std::string_view text) noexcept;

/// Throws Error (usage) with what is wrong and what is supported.
[[nodiscard]] NetworkAddress parse_network_address(std::string_view text);

/// `tcp://[::1]:5000`, without the part after `?`.
[[nodiscard]] std::string to_string(const NetworkAddress& address);

/// Does this end listen (ZeroMQ: bind)? A UDP receiver always does.
[[nodiscard]] bool sender_listens(const NetworkAddress& address) noexcept;
[[nodiscard]] bool receiver_listens(const NetworkAddress& address) noexcept;

}  // namespace ositrace
