// SPDX-License-Identifier: MPL-2.0
// The messages of the Foxglove WebSocket protocol: text is JSON with a field `op`, binary begins with an opcode. Pure:
// bytes in, values out. The written specification is gone; this follows Foxglove's SDK and its earlier ws-protocol.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/stated_channel.hpp>

namespace ositrace::net::foxglove {

/// Both name the same protocol: the first since 2025, the second before.
inline constexpr std::array<std::string_view, 2> subprotocols{"foxglove.sdk.v1", "foxglove.websocket.v1"};
inline constexpr std::uint16_t default_port = 8765;

using ChannelId = std::uint64_t;
using SubscriptionId = std::uint32_t;

struct Subscription {
    SubscriptionId id = 0;  ///< chosen by the client
    ChannelId channel = 0;
};

// From a client.
struct Subscribe {
    std::vector<Subscription> subscriptions;
};
struct Unsubscribe {
    std::vector<SubscriptionId> subscriptions;
};
struct UnknownOp {
    std::string op;
};
using ClientMessage = std::variant<Subscribe, Unsubscribe, UnknownOp>;

/// Throws Error (malformed) with the field.
[[nodiscard]] ClientMessage parse_client_text(std::string_view text);
[[nodiscard]] std::string subscribe_text(std::span<const Subscription> subscriptions);

// From a server.
struct ServerInfo {
    std::string name;
};
struct Advertisement {
    ChannelId id = 0;
    StatedChannel channel;
};
struct Advertise {
    std::vector<Advertisement> channels;
    std::vector<std::string> refused;  ///< of each channel that cannot be read: which, and why
};
struct Unadvertise {
    std::vector<ChannelId> channels;
};
enum class Level : std::uint8_t { info, warning, error };
struct Status {
    Level level = Level::info;
    std::string message;
    std::uint64_t dropped = 0;  ///< messages for this client so far; only servers of ositrace say it
};
using ServerMessage = std::variant<ServerInfo, Advertise, Unadvertise, Status, UnknownOp>;

/// Throws Error (malformed) with the field.
[[nodiscard]] ServerMessage parse_server_text(std::string_view text);
/// `session`: another one tells clients that what they know of the server is void.
[[nodiscard]] std::string server_info_text(std::string_view name, std::string_view session);
[[nodiscard]] std::string advertise_text(std::span<const Advertisement> channels);
/// A later status with the same id takes the place of this one. `dropped`: see Status; empty: nothing is said.
[[nodiscard]] std::string status_text(Level level, std::string_view message, std::string_view id,
                                      std::optional<std::uint64_t> dropped = {});
[[nodiscard]] std::string remove_status_text(std::string_view id);

/// Opcode 1: the payload follows its head.
inline constexpr std::size_t data_head_bytes = 13;
[[nodiscard]] std::string data_head(SubscriptionId subscription, std::uint64_t time);
/// Opcode 2, the whole message.
[[nodiscard]] std::string time_message(std::uint64_t time);

struct MessageData {
    SubscriptionId subscription = 0;
    std::uint64_t time = 0;
    Bytes payload;
};
struct Time {
    std::uint64_t time = 0;
};
struct UnknownOpcode {
    std::uint8_t opcode = 0;
};
using ServerBinary = std::variant<MessageData, Time, UnknownOpcode>;

/// Throws Error (truncated).
[[nodiscard]] ServerBinary parse_server_binary(Bytes message);

}  // namespace ositrace::net::foxglove
