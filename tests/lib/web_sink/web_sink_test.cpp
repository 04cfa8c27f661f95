// SPDX-License-Identifier: MPL-2.0
#include <ositrace/web_sink.hpp>

#include <mutex>

#include <ositrace/player.hpp>
#include <ositrace/recognize.hpp>

#include "lib/trace/recognition.hpp"
#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_socket.hpp"
#include "tests/lib/payloads.hpp"

using namespace ositrace;

namespace {

constexpr char frame = 2;

struct Serving {
    TraceInfo info;
    std::mutex mutex;
    std::vector<std::string> notes;
    std::unique_ptr<NetworkSink> sink;

    explicit Serving(const std::string& address = "web://127.0.0.1:0")
    {
        info.channels.push_back(recognized_channel({MessageType::ground_truth, {}}, Schema::built_in()));
        NetworkSinkOptions options;
        options.on_note = [this](const std::string& note) {
            const std::lock_guard lock(mutex);
            notes.push_back(note);
        };
        sink = open_web_sink(parse_network_address(address), std::move(options));
    }
    void begin() const { sink->begin(info, {}); }
    void take(Nanoseconds time, const std::string& more = {}) const
    {
        const auto owner = std::make_shared<const std::string>(ground_truth(1) + more);
        Frame taken;
        taken.bytes = bytes_of(*owner);
        taken.owner = owner;
        sink->take({&taken, 1}, time, info);
    }
    [[nodiscard]] bool said(const std::string& what)
    {
        const std::lock_guard lock(mutex);
        return std::ranges::any_of(notes, [&](const auto& note) { return note.find(what) != note.npos; });
    }
};

/// A browser, after its handshake.
class Browser {
public:
    explicit Browser(const Serving& serving) : socket_(RawSocket::connected(SOCK_STREAM, serving.sink->address().port))
    {
        socket_.send(
            "GET /frames HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: ositrace.page.v1\r\n\r\n");
        for (std::string answer; !answer.ends_with("\r\n\r\n");) answer += socket_.receive(1);
    }
    /// The next message; empty: the server has closed the connection.
    std::string message()
    {
        const auto head = take(2);
        std::size_t size = static_cast<unsigned char>(head[1]);
        if (size >= 126) {
            const auto bytes = take(size == 126 ? 2 : 8);
            size = 0;
            for (const char byte : bytes) size = size << 8 | static_cast<unsigned char>(byte);
        }
        const auto payload = take(size);
        return (head[0] & 15) == 8 ? std::string() : payload;
    }
    /// What the next messages are.
    std::string kinds(std::size_t count)
    {
        std::string kinds;
        while (kinds.size() < count) kinds += message().at(0);
        return kinds;
    }
    RawSocket& socket() { return socket_; }

private:
    std::string take(std::size_t size)
    {
        std::string taken;
        while (taken.size() < size) {
            const auto more = socket_.receive(size - taken.size());
            if (more.empty()) throw std::runtime_error("the server has disconnected");
            taken += more;
        }
        return taken;
    }
    RawSocket socket_;
};

std::string in_words(const std::string& kinds)
{
    std::string words;
    for (const char kind : kinds) words += "SLFN"[static_cast<std::size_t>(kind)];
    return words;
}

/// A boundary from (0, 0) to (9, 0).
std::string boundary(std::uint8_t id)
{
    const auto place = [](char x) { return field(1, std::string("\x09\0\0\0\0\0\0", 7) + x + '\x40'); };
    constexpr std::uint32_t lane_boundary = 9;
    return field(lane_boundary, field(1, varint_field(1, id)) + field(2, place('\x08')) + field(2, place('\x22')));
}

}  // namespace

TEST_CASE("a browser receives the map before the frames that show it, also a late one")
{
    Serving serving;
    serving.begin();
    Browser early(serving);
    serving.take(1s, boundary(1));
    CHECK(in_words(early.kinds(3)) == "SLF");
    serving.take(2s);
    CHECK(in_words(early.kinds(1)) == "F");
    Browser late(serving);
    CHECK(in_words(late.kinds(3)) == "SLF");
    serving.take(3s, boundary(2));
    CHECK(in_words(early.kinds(2)) == "LF");
    CHECK(in_words(late.kinds(2)) == "LF");
    serving.sink->finish();
    CHECK(early.message().empty());
    CHECK(serving.sink->counts().not_delivered == 0);
    CHECK(serving.sink->counts().sent == 9);
    CHECK(serving.said("open http://127.0.0.1:" + std::to_string(serving.sink->address().port) + "/ in a browser"));
}

TEST_CASE("the first browser receives the current frame of a replay that was played to nobody")
{
    Serving serving;
    serving.begin();
    for (int i = 1; i <= 100; ++i) serving.take(std::chrono::seconds(i));
    for (int turn = 0; turn < 2; ++turn) {
        Browser browser(serving);
        CHECK(in_words(browser.kinds(1)) == "S");
        CHECK(browser.message().find("100000000000") == 2);  // after its kind and the length of the text
    }
    CHECK(comes_true([&] { return serving.sink->counts().sent == 2; }));
    serving.sink->finish();
    CHECK(serving.sink->counts().not_delivered == 0);
}

TEST_CASE("a browser that reads nothing delays neither the player nor another browser")
{
    Serving serving("web://127.0.0.1:0?subscribers=2");
    const Browser slow(serving);
    Browser quick(serving);
    serving.begin();
    std::string map;  // more than the system takes
    for (int i = 0; i < 200; ++i) map += boundary(static_cast<std::uint8_t>(i % 100));
    CHECK(in_words(quick.kinds(0)).empty());
    constexpr int steps = 400;
    // Of a slow machine the browser gets fewer frames, but the last one.
    const auto last = std::to_string(std::chrono::nanoseconds(std::chrono::milliseconds(steps)).count());
    std::thread reads([&] {
        for (std::string message; message.empty() || message.at(0) != frame || message.find(last) != 2;)
            message = quick.message();
    });
    for (int i = 1; i <= steps; ++i) {
        const auto begun = std::chrono::steady_clock::now();
        serving.take(std::chrono::milliseconds(i), map + boundary(static_cast<std::uint8_t>(i % 128)));
        CHECK(std::chrono::steady_clock::now() - begun < 1s);
        std::this_thread::sleep_for(5ms);
    }
    reads.join();
    serving.sink->give_up();
}

TEST_CASE("a browser learns of a pause, of damage and of why a replay ended, and one that sends something is reported")
{
    Serving serving;
    serving.begin();
    Browser browser(serving);
    serving.sink->waiting({.time = 1s, .until = 2s, .rate = 0});
    CHECK(browser.message().find("The replay is paused.") != std::string::npos);
    serving.sink->waiting({.time = 1s, .until = 2s, .rate = 1});
    CHECK(browser.message() == std::string("\x03\x05pause\0", 8));
    serving.sink->tell_of_damage("frame 3");
    serving.sink->tell_of_damage("frame 4");
    CHECK(browser.message().find("the first place: frame 3") != std::string::npos);
    browser.socket().send(std::string("\x81\x81\0\0\0\0x", 7));
    CHECK(comes_true([&] { return serving.said("sent a message"); }));
    serving.sink->failed("no more");
    CHECK(browser.message().find("The replay has ended: no more") != std::string::npos);
    Browser late(serving);
    CHECK(in_words(late.kinds(2)) == "NN");
    serving.sink->give_up();
}

TEST_CASE("fewer browsers than are wanted are an error")
{
    Serving serving("web://127.0.0.1:0?subscribers=2&wait=0.01");
    CHECK(error_of([&] { serving.begin(); }).find("0 of 2 subscribers within 10 ms") != std::string::npos);
}

TEST_CASE("addresses of pages")
{
    const auto plain = parse_network_address("web://");
    CHECK(plain.transport == Transport::web);
    CHECK(plain.host == "127.0.0.1");
    CHECK(plain.port == 8080);
    CHECK(plain.points_per_cloud == 2000);
    CHECK(parse_network_address("web://*:1?points=0").points_per_cloud == 0);
    const auto why = [](const std::string& text) { return error_of([&] { return parse_network_address(text); }); };
    CHECK(why("web://?points=100001") ==
          "'web://?points=100001': '100001' is not a number of points of a cloud (0 to 100000; 0: none)");
    CHECK(why("web://?static=expand").find("(known: wait=SECONDS, subscribers, subscribers=N, points=N, from=model)") !=
          std::string::npos);
    CHECK(error_of([] { return open_network_sink(parse_network_address("web://:0")); }) ==
          "web://127.0.0.1:0: a page is not served by open_network_sink()");
}
