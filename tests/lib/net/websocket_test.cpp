// SPDX-License-Identifier: MPL-2.0
#include "lib/net/websocket.hpp"

#include <array>
#include <mutex>

#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_socket.hpp"

using namespace ositrace;
using namespace ositrace::net;

namespace {

constexpr std::array<std::string_view, 1> subprotocols{"test"};
const std::string handshake =
    "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: test\r\n\r\n";

struct Events final : WebSocketEvents {
    std::mutex mutex;
    std::vector<std::string> texts;

    void add(const std::string& text)
    {
        const std::lock_guard lock(mutex);
        texts.push_back(text);
    }
    [[nodiscard]] std::vector<std::string> all()
    {
        const std::lock_guard lock(mutex);
        return texts;
    }
    [[nodiscard]] bool has(const std::string& text)
    {
        const auto added = all();
        return std::ranges::find(added, text) != added.end();
    }

    void opened(ClientId, const std::string&) override { add("opened"); }
    void received(ClientId, bool, Bytes message) override { add(std::string(text_of(message))); }
    void closed(ClientId, const ClientCounts&, const std::string& why) override { add("closed: " + why); }
    void refused(const std::string&, const std::string& why) override { add("refused: " + why); }
    void tick() override {}
};

struct Server {
    Events events;
    std::uint16_t port;
    WebSocketServer server;

    explicit Server(const WebSocketLimits& limits = {}) : Server(limits, listening()) {}
    Server(const WebSocketLimits& limits, Socket listener)
        : port(port_of(listener)), server(std::move(listener), subprotocols, limits, events)
    {
        server.start();
    }
    static Socket listening()
    {
        return open_listening(parse_network_address("foxglove://127.0.0.1:0"), SocketKind::stream);
    }

    [[nodiscard]] RawSocket client()
    {
        auto client = RawSocket::connected(SOCK_STREAM, port);
        client.send(handshake);
        for (std::string answer; !answer.ends_with("\r\n\r\n");) answer += client.receive(1);
        comes_true([&] { return events.has("opened"); });
        return client;
    }
    /// Sends to the only client from the server's thread; the number of messages dropped by then.
    std::uint64_t send(const std::vector<WebSocketMessage>& messages)
    {
        std::promise<std::uint64_t> dropped;
        server.post([&] {
            for (const auto& message : messages) server.send(1, message);
            dropped.set_value(server.counts(1).dropped);
        });
        return dropped.get_future().get();
    }
};

WebSocketMessage always(const std::string& text) { return {true, Delivery::always, text}; }
WebSocketMessage time_of(const std::string& text) { return {true, Delivery::newest_only, text}; }
WebSocketMessage of_step(std::uint64_t step, const std::string& text, std::shared_ptr<const std::size_t> needed = {})
{
    return {true, Delivery::may_drop, text, {}, nullptr, step, std::move(needed)};
}

std::string frames_of(const std::vector<std::string>& texts)
{
    std::string frames;
    for (const auto& text : texts) frames += '\x81' + std::string(1, static_cast<char>(text.size())) + text;
    return frames;
}

std::string receive(const RawSocket& client, std::size_t bytes)
{
    std::string received;
    while (received.size() < bytes) received += client.receive(bytes - received.size());
    return received;
}

}  // namespace

TEST_CASE("no event precedes the start of a server, and none follows its end")
{
    WebSocketLimits limits;
    limits.clients = 2;
    Events events;
    auto listener = Server::listening();
    const auto port = port_of(listener);
    WebSocketServer server(std::move(listener), subprotocols, limits, events);
    const auto early = RawSocket::connected(SOCK_STREAM, port);
    early.send(handshake);
    std::this_thread::sleep_for(50ms);
    CHECK(events.all().empty());
    server.start();
    REQUIRE(comes_true([&] { return events.has("opened"); }));

    const auto late = RawSocket::connected(SOCK_STREAM, port);
    const auto refused = RawSocket::connected(SOCK_STREAM, port);
    REQUIRE(comes_true([&] { return events.has("refused: 2 clients are connected"); }));  // so late is accepted
    const std::string masked_text("\x81\x82\0\0\0\0{}", 8);
    server.end([&] {
        events.add("last");
        early.send(masked_text);
        late.send(handshake);
        std::this_thread::sleep_for(50ms);
    });
    CHECK(events.all() == std::vector<std::string>{"opened", "refused: 2 clients are connected", "last"});
    const std::string going_away("\x88\x02\x03\xe9", 4);
    for (const auto* client : {&early, &late}) {
        std::string received;
        for (std::string part; !(part = client->receive()).empty();) received += part;
        CHECK(received.starts_with("HTTP/1.1 101 "));
        CHECK(received.ends_with(going_away));
    }
}

TEST_CASE("a client that answers neither to a ping nor to the end of its connection is disconnected")
{
    WebSocketLimits limits;
    limits.idle = 500ms;
    Server server(limits);
    const auto client = server.client();
    const bool breaks_the_rules = GENERATE(false, true);
    if (breaks_the_rules) client.send("\x81\x02{}");  // not masked
    CHECK(comes_true([&] { return server.events.has("closed: sent nothing for 1 s, not even the answer to a ping"); }));
}

TEST_CASE("a message that may be dropped makes room for newer ones, one that may not stays")
{
    WebSocketLimits limits;
    limits.queued_steps = 3;
    Server server(limits);
    const auto client = server.client();
    // The first is being written when the others come.
    CHECK(server.send({of_step(0, "d0"), time_of("t1"), of_step(1, "d1"), of_step(2, "d2"), of_step(3, "d3"),
                       always("a1"), time_of("t2"), of_step(4, "d4")}) == 1);
    const auto expected = frames_of({"d0", "d2", "d3", "a1", "t2", "d4"});
    CHECK(receive(client, expected.size()) == expected);
}

TEST_CASE("a step is dropped as a whole, but neither the newest nor the one that the client has begun to read")
{
    WebSocketLimits limits;
    const bool by_bytes = GENERATE(false, true);  // each message is larger than the limit
    by_bytes ? limits.queued_bytes = 1 : limits.queued_steps = 2;
    Server server(limits);
    const auto client = server.client();
    CHECK(server.send({of_step(1, "a1"), of_step(1, "b1"), of_step(2, "a2"), of_step(2, "b2"), of_step(3, "a3"),
                       of_step(3, "b3")}) == 2);
    const auto expected = frames_of({"a1", "b1", "a3", "b3"});
    CHECK(receive(client, expected.size()) == expected);
}

TEST_CASE("a message that is needed stays when its step is dropped, until it is needed no more")
{
    WebSocketLimits limits;
    limits.queued_steps = 1;
    Server server(limits);
    const auto client = server.client();
    const auto needed = std::make_shared<std::size_t>(1);
    SECTION("it is received in its place")
    {
        CHECK(server.send({of_step(0, "d0"), of_step(1, "m1", needed), of_step(1, "d1"), of_step(2, "d2"),
                           of_step(3, "d3")}) == 2);
        const auto expected = frames_of({"d0", "m1", "d3"});
        CHECK(receive(client, expected.size()) == expected);
    }
    SECTION("later it is not needed")
    {
        const std::string unread(32 << 20, 'x');  // more than the system takes: nothing else is written
        CHECK(server.send({of_step(0, unread), of_step(1, "m1", needed), of_step(2, "d2")}) == 0);
        *needed = 0;
        CHECK(server.send({of_step(3, "d3")}) == 2);
    }
}

TEST_CASE("a client that was sent too many messages of one step is disconnected")
{
    WebSocketLimits limits;
    limits.queued_messages = 100;
    Server server(limits);
    const auto client = server.client();
    server.send(std::vector<WebSocketMessage>(300, of_step(0, "x")));
    CHECK(comes_true([&] { return server.events.has("closed: has not read 100 messages"); }));
}

TEST_CASE("bytes in the queue are limited, but one message always has room")
{
    WebSocketLimits limits;
    limits.queued_bytes = 10;
    Server server(limits);
    const auto client = server.client();
    CHECK(server.send({of_step(1, "first"), of_step(2, std::string(100, 'x'))}) == 0);
    CHECK(server.send({of_step(3, "12345"), of_step(4, "67890")}) <= 1);
    CHECK(receive(client, 7) == frames_of({"first"}));
}

TEST_CASE("a client that never reads what must arrive is disconnected")
{
    WebSocketLimits limits;
    limits.queued_always = 100;
    Server server(limits);
    const auto client = server.client();
    server.send(std::vector<WebSocketMessage>(200, always(std::string(1 << 20, 'x'))));
    CHECK(comes_true([&] { return server.events.has("closed: has not read 100 messages"); }));
}
