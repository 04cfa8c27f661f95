// SPDX-License-Identifier: MPL-2.0
#include <cerrno>

#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_socket.hpp"

using namespace ositrace;
using sample::sensor_view;
using Texts = std::vector<std::string>;

TEST_CASE("a UDP sink sends the datagrams of esmini")
{
    const auto receiver = RawSocket::bound(SOCK_DGRAM);
    Sending sending(address_text("udp", receiver.port()));
    sending.begin();
    const auto large = std::string(8192, 'a') + std::string(8192, 'b') + std::string(100, 'c');
    sending.take(large);
    sending.take("small");
    sending.sink->finish();
    CHECK(receiver.receive() == datagram(1, std::string(8192, 'a')));
    CHECK(receiver.receive() == datagram(2, std::string(8192, 'b')));
    CHECK(receiver.receive() == datagram(-3, std::string(100, 'c')));
    CHECK(receiver.receive() == datagram(-1, "small"));
    CHECK(sending.sent() == 2);
}

TEST_CASE("a UDP sink sends parts of the requested size, which any UDP source receives")
{
    const auto receiver = RawSocket::bound(SOCK_DGRAM);
    Sending small(address_text("udp", receiver.port(), "?part=1"));
    small.begin();
    small.take("ab");
    CHECK(receiver.receive() == datagram(1, "a"));
    CHECK(receiver.receive() == datagram(-2, "b"));
    Sending large(address_text("udp", receiver.port(), "?part=65499"));
    large.begin();
    large.take(std::string(65499, 'x') + "y");
    CHECK(receiver.receive() == datagram(1, std::string(65499, 'x')));
    CHECK(receiver.receive() == datagram(-2, "y"));
    for (const std::string bytes : {"1", "8192", "65499"}) {
        Receiving receiving("udp://127.0.0.1:0");
        Sending sending(address_text("udp", receiving.port(), "?pace=500&part=" + bytes));
        sending.begin();
        const auto payload = sensor_view(1, bytes == "1" ? 30 : 200'000);
        sending.take(payload);
        CHECK(receiving.read() == payload);
    }
}

TEST_CASE("a UDP sink counts the frames that nobody wanted, and goes on")
{
    auto receiver = RawSocket::bound(SOCK_DGRAM);
    const auto port = receiver.port();
    receiver.close();
    Sending sending(address_text("udp", port));
    sending.begin();
    CHECK(comes_true([&] {
        sending.take(std::string(10'000, 'x'));
        return sending.not_delivered() >= 3;
    }));
    receiver = RawSocket::bound(SOCK_DGRAM, port);
    sending.take("here");
    CHECK(receiver.receive() == datagram(-1, "here"));
}

TEST_CASE("what the system refuses of a UDP sink's parts is counted, with its reason")
{
    Sending sending("udp://127.0.0.1:9?pace=0");
    sending.begin();
    CHECK(sending.sink->counts().refused.parts == 0);
    CHECK(comes_true([&] {
        sending.take("nobody reads this");
        return sending.not_delivered() >= 2;
    }));
    CHECK(sending.sink->counts().refused.parts >= sending.not_delivered());
    CHECK(sending.sink->counts().refused.last_error == ECONNREFUSED);
}

TEST_CASE("a UDP sink keeps its pace, which a stop ends at once")
{
    const auto receiver = RawSocket::bound(SOCK_DGRAM);
    const std::string message(85 * 8192, 'x');
    const auto begun = std::chrono::steady_clock::now();
    Sending quick(address_text("udp", receiver.port(), "?pace=10"));
    quick.begin();
    quick.take(message);
    // A burst of 8 parts goes out at once, the others follow at 10 MB/s.
    CHECK(std::chrono::steady_clock::now() - begun >= std::chrono::duration<double>(76 * 8192 / 10e6));
    CHECK(quick.sent() == 1);

    Sending slow(address_text("udp", receiver.port(), "?pace=0.000001"));
    slow.begin();
    auto taken = std::async(std::launch::async, [&] { slow.take(message); });
    CHECK(taken.wait_for(20ms) == std::future_status::timeout);
    slow.stop.request_stop();
    CHECK(taken.wait_for(20s) == std::future_status::ready);
    CHECK(slow.not_delivered() == 1);
}

TEST_CASE("datagrams that find no room in the receive buffer are named where they are missed")
{
    Receiving receiving("udp://127.0.0.1:0", std::size_t{256} << 20);
    const auto sender = RawSocket::connected(SOCK_DGRAM, receiving.port());
    constexpr int parts = 8192;  // 64 MiB, and nobody reads
    for (int part = 1; part <= parts; ++part) sender.send(datagram(part, std::string(8192, 'x')));
    auto whole = std::async(std::launch::async, [&] { return receiving.read(); });
    CHECK(comes_true([&] {
        sender.send(datagram(-1, "whole"));
        return whole.wait_for(1ms) == std::future_status::ready;
    }));
    CHECK(whole.get() == "whole");
    REQUIRE(receiving.lost.size() == 1);
    CHECK_THAT(receiving.lost[0],
               Catch::Matchers::Matches(
                   "0: part 1 of a message came where part [0-9]+ of the one before was due; [0-9]+ datagrams "
                   "did not fit into the receive buffer [(]net[.]core[.]rmem_max limits it[)]"));
}

TEST_CASE("messages of which no part had room in the receive buffer are counted")
{
    Receiving receiving("udp://127.0.0.1:0");
    const auto sender = RawSocket::connected(SOCK_DGRAM, receiving.port());
    constexpr std::uint64_t messages = 8192;  // 64 MiB, and nobody reads
    for (std::uint64_t i = 0; i < messages; ++i) sender.send(datagram(-1, std::string(8192, 'x')));
    std::uint64_t received = 0;
    auto reading = std::async(std::launch::async, [&] {
        while (receiving.read() != "last") ++received;
    });
    CHECK(comes_true([&] {
        sender.send(datagram(-1, "last"));
        return reading.wait_for(10ms) == std::future_status::ready;
    }));
    CHECK(received + receiving.lost_messages == messages);
    CHECK(receiving.source->lost() == receiving.lost_messages);
    REQUIRE(receiving.lost.size() == 1);
    CHECK_THAT(receiving.lost[0], Catch::Matchers::ContainsSubstring("no part arrived; "));
    for (std::uint64_t i = 0; i < messages; ++i) sender.send(datagram(-1, std::string(8192, 'x')));
    receiving.source.reset();  // no datagram follows what the system dropped
    CHECK(receiving.lost.size() == 2);
    CHECK(receiving.lost_messages > messages);
}

TEST_CASE("messages that had no room at the end are counted beside the one that was begun")
{
    constexpr std::uint64_t messages = 2000, parts = 4;  // 64 MiB, and nobody reads
    Receiving receiving("udp://127.0.0.1:0");
    const auto sender = RawSocket::connected(SOCK_DGRAM, receiving.port());
    const auto send = [&](std::uint64_t skipped) {
        for (std::uint64_t part = skipped + 1; part <= parts; ++part)
            sender.send(datagram(part == parts ? -int{parts} : static_cast<int>(part), std::string(8192, 'x')));
    };
    send(0);
    CHECK(receiving.read().size() == parts * 8192);
    for (std::uint64_t i = 0; i < messages; ++i) send(0);
    std::uint64_t received = 0;
    std::uint64_t before = 0;
    CHECK(comes_true([&] {  // until nothing is left to be read
        before = receiving.source->bytes_consumed();
        receiving.stop = std::stop_source();
        const std::jthread stopper([ending = receiving.stop]() mutable {
            std::this_thread::sleep_for(50ms);
            ending.request_stop();
        });
        while (receiving.read() != "<end>") ++received;
        return receiving.source->bytes_consumed() == before;
    }));
    receiving.source.reset();
    CHECK(received < messages);
    CHECK(received + receiving.lost_messages <= messages);
    CHECK(received + receiving.lost_messages + 2 >= messages);
}

TEST_CASE("a UDP source puts esmini's datagrams together and counts what is lost")
{
    Receiving receiving("udp://127.0.0.1:0");
    const auto sender = RawSocket::connected(SOCK_DGRAM, receiving.port());
    const auto large = std::string(8192, 'a') + "rest";
    sender.send(datagram(1, std::string(8192, 'a')));
    sender.send(datagram(-2, "rest"));
    sender.send(datagram(1, "begun"));
    sender.send(datagram(-4, "ended"));
    sender.send("noise");
    sender.send(datagram(-1, "whole"));
    CHECK(receiving.read() == large);
    CHECK(receiving.read() == "whole");
    CHECK(receiving.lost == Texts{"1: part 4 of a message came where part 2 was due",
                                  "1: a datagram of 5 bytes has no header of 8 bytes"});
    CHECK(receiving.source->lost() == 2);
}

TEST_CASE("a message without its last part when a UDP source ends is lost and counted, an empty one is left out")
{
    Receiving receiving("udp://127.0.0.1:0");
    const auto sender = RawSocket::connected(SOCK_DGRAM, receiving.port());
    sender.send(datagram(-1, ""));
    sender.send(datagram(1, "a"));
    sender.send(datagram(2, "b"));
    CHECK(receiving.takes(26));
    receiving.source.reset();
    CHECK(receiving.lost == Texts{"0: the stream ended after 2 parts of a message"});
    CHECK(receiving.notes.size() == 1);
}

TEST_CASE("what a second UDP sender sends ends what the first began")
{
    Receiving receiving("udp://127.0.0.1:0");
    const auto first = RawSocket::connected(SOCK_DGRAM, receiving.port());
    const auto second = RawSocket::connected(SOCK_DGRAM, receiving.port());
    first.send(datagram(1, "begun"));
    second.send(datagram(-1, "other"));
    CHECK(receiving.read() == "other");
    CHECK(receiving.lost == Texts{"0: another sender, 127.0.0.1:" + std::to_string(second.port()) +
                                  ", sent between the parts of a message"});
}

TEST_CASE("what the UDP sink sends the UDP source receives, up to megabytes")
{
    Receiving receiving("udp://127.0.0.1:0", std::size_t{8} << 20);
    Sending sending(address_text("udp", receiving.port()));
    sending.begin();
    for (const std::size_t size : {0, 1, 100'000}) {
        sending.take(sensor_view(1, size));
        CHECK(receiving.read() == sensor_view(1, size));
    }
}

TEST_CASE("a stop ends a read of a UDP source")
{
    Receiving receiving("udp://127.0.0.1:0");
    auto message = std::async(std::launch::async, [&] { return receiving.read(); });
    CHECK(message.wait_for(20ms) == std::future_status::timeout);
    receiving.stop.request_stop();
    CHECK(message.get() == "<end>");
}
