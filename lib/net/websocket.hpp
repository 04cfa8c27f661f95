// SPDX-License-Identifier: MPL-2.0
// WebSocket connections (RFC 6455) without TLS. Boost.Beast is included by websocket.cpp alone: it takes long to
// compile.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include <ositrace/bytes.hpp>

#include "lib/net/socket.hpp"

namespace ositrace::net {

/// What happens to a message for a client that reads too slowly.
enum class Delivery : std::uint8_t {
    always,       ///< it is queued; a client that does not read them is disconnected
    may_drop,     ///< it is dropped with its step, oldest first, and counted
    newest_only,  ///< a newer one takes its place
};

/// A message to be sent: `head`, then `payload`.
struct WebSocketMessage {
    bool text = false;
    Delivery delivery = Delivery::always;
    std::string head;
    Bytes payload = {};
    std::shared_ptr<const void> owner = nullptr;  ///< of the payload
    // Of Delivery::may_drop:
    std::uint64_t step = 0;  ///< messages of a step are dropped together; never those of the newest
    /// It is not dropped as long as this is not 0. Changed only by the server's thread.
    std::shared_ptr<const std::size_t> needed = nullptr;
    /// The client receives this binary message directly before, unless it was the last one of Delivery::newest_only
    /// that it received. Empty: none.
    std::string clock = {};
    [[nodiscard]] std::size_t size() const noexcept { return head.size() + payload.size(); }
};

using ClientId = std::uint64_t;

/// Messages of Delivery::may_drop to one client.
struct ClientCounts {
    std::uint64_t sent = 0;
    std::uint64_t dropped = 0;
};

/// A request of HTTP, for a WebSocket or not.
struct HttpRequest {
    std::string_view method = {}, target = {};
    std::string_view host = {}, origin = {};  ///< as its header states them; may be empty
    bool is_upgrade = false;                  ///< to a WebSocket
};

struct HttpAnswer {
    unsigned status = 200;
    std::string fields = {};  ///< of its header, each with its end of line
    std::shared_ptr<const std::string> body = nullptr;
};

/// What happens to a server. Called by its thread.
class WebSocketEvents {
public:
    virtual ~WebSocketEvents() = default;
    /// The answer to a request, after which the connection ends. Empty: what asks for a WebSocket becomes a client,
    /// anything else is refused.
    virtual std::optional<HttpAnswer> answer(const HttpRequest& request);
    /// `name`: `127.0.0.1:51234`.
    virtual void opened(ClientId client, const std::string& name) = 0;
    virtual void received(ClientId client, bool text, Bytes message) = 0;
    /// `why` is empty if the client closed the connection in order.
    virtual void closed(ClientId client, const ClientCounts& counts, const std::string& why) = 0;
    /// A peer that did not become a client.
    virtual void refused(const std::string& name, const std::string& why) = 0;
    /// Ten times a second.
    virtual void tick() = 0;
};

struct WebSocketLimits {
    std::size_t clients = 64;
    /// A client that is silent for so long is pinged; one that does not answer for as long again is disconnected.
    std::chrono::milliseconds idle = std::chrono::minutes(1);
    std::size_t received_bytes = std::size_t{256} << 10;  ///< of a message from a client
    // Of messages of Delivery::may_drop that a client has not read. The newest step is always queued, and the one that
    // the client has begun to read.
    std::size_t queued_steps = 64;
    std::size_t queued_bytes = std::size_t{64} << 20;
    // A client with more messages is disconnected:
    std::size_t queued_messages = 65536;
    std::size_t queued_always = 4096;  ///< of Delivery::always
    std::size_t queued_always_bytes = std::size_t{256} << 20;
};

/// Accepts clients on a thread of its own, from start() to end(). No client delays another one or the thread.
class WebSocketServer {
public:
    /// `subprotocols`: in order of preference; a client that offers none of them is refused. The events must outlive
    /// the server.
    WebSocketServer(Socket listener, std::span<const std::string_view> subprotocols, const WebSocketLimits& limits,
                    WebSocketEvents& events);
    ~WebSocketServer();  ///< ends it

    /// Begins to accept clients and to call events: once the events can reach the server.
    void start();
    /// Calls `last` from the server's thread, and no event after it; closes all connections. Nothing without a start().
    void end(std::function<void()> last);

    /// Calls `work` from the server's thread, in order.
    void post(std::function<void()> work);
    /// Waits until all clients have received what is queued; at most this long, and not after a stop.
    void drain(std::chrono::milliseconds longest, const std::stop_token& stop);

    // From the server's thread. An unknown client is one that has disconnected.
    void send(ClientId client, WebSocketMessage message);
    [[nodiscard]] ClientCounts counts(ClientId client) const;
    /// Counts as dropped what no client has received: before the end.
    void drop_queued();

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// A connection to a server. One thread at a time.
class WebSocketClient {
public:
    /// Performs the handshake. `host`: for its request, `localhost:8765`. Throws Error (io, cancelled), also where the
    /// server selects none of the subprotocols.
    WebSocketClient(Socket connected, const std::string& host, std::span<const std::string_view> subprotocols,
                    std::size_t max_message_bytes, const std::stop_token& stop);
    ~WebSocketClient();

    struct Message {
        bool text = false;
        Bytes bytes;  ///< byte 13 of it is aligned like the beginning of an allocation
        std::shared_ptr<const void> owner;
    };
    enum class Result : std::uint8_t { message, closed, lost, stopped, timed_out };
    /// `closed`: the server has closed the WebSocket. `lost`: the connection ended, and the server did not say that it
    /// would: its process was killed, the network failed, or it never closes a WebSocket. Throws Error (io, limit).
    Result receive(Message& message, const Deadline& deadline, const std::stop_token& stop);
    /// That have arrived of a message that is not complete.
    [[nodiscard]] std::size_t unfinished_bytes() const noexcept;
    /// Waits until it is sent. Throws Error (io).
    void send(const std::string& text);

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace::net
