// SPDX-License-Identifier: MPL-2.0
#include <ositrace/scene.hpp>

#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_socket.hpp"

using namespace ositrace;
using sample::sensor_view;

TEST_CASE("a TCP source that listens takes what OSMPCNetworkProxy sends, and ends with it")
{
    Receiving receiving("tcp://127.0.0.1:0?listen");
    {
        const auto sender = RawSocket::connected(SOCK_STREAM, receiving.port());
        sender.send(behind_its_length(sensor_view(1)) + behind_its_length(sensor_view(2, 100'000)));
    }
    CHECK(receiving.read() == sensor_view(1));
    CHECK(receiving.read() == sensor_view(2, 100'000));
    CHECK(receiving.read() == "<end>");
    CHECK(receiving.source->info().channels.size() == 1);
    CHECK(receiving.source->info().channels[0].topic == "SensorView");
    CHECK(receiving.source->bytes_consumed() == 8 + sensor_view(1).size() + sensor_view(2, 100'000).size());
}

TEST_CASE("a TCP source that connects waits for the sender to listen")
{
    auto listener = RawSocket::bound(SOCK_STREAM);
    const auto port = listener.port();
    listener.close();
    Receiving receiving(address_text("tcp", port));
    auto message = std::async(std::launch::async, [&] { return receiving.read(); });
    CHECK(message.wait_for(20ms) == std::future_status::timeout);
    listener = RawSocket::bound(SOCK_STREAM, port);
    const auto sender = listener.accept();
    sender.send(behind_its_length(sensor_view(3)));
    CHECK(message.get() == sensor_view(3));
}

TEST_CASE("a proxy's length of 0 is left out and noted")
{
    Receiving receiving("tcp://127.0.0.1:0?listen");
    const auto sender = RawSocket::connected(SOCK_STREAM, receiving.port());
    sender.send(behind_its_length("") + behind_its_length("") + behind_its_length("x"));
    CHECK(receiving.read() == "x");
    const auto note = address_text("tcp", receiving.port()) + ": an empty message is left out";
    CHECK(receiving.notes == std::vector<std::string>{note, note});
    CHECK(receiving.lost.empty());
}

TEST_CASE("a message that has begun to arrive when a live source ends is lost and counted")
{
    const auto of_source = [&](const std::string& sent) {
        Receiving receiving("tcp://127.0.0.1:0?listen");
        const auto sender = RawSocket::connected(SOCK_STREAM, receiving.port());
        sender.send(behind_its_length("whole") + sent);
        CHECK(receiving.read() == "whole");
        CHECK(receiving.takes(9 + sent.size()));
        receiving.source.reset();
        return receiving.lost;
    };
    CHECK(of_source("").empty());
    CHECK(of_source("\x09") ==
          std::vector<std::string>{"1: the stream ended after 1 of 4 bytes of the length of a message"});
    CHECK(of_source(behind_its_length("half of it").substr(0, 8)) ==
          std::vector<std::string>{"1: the stream ended after 4 of 10 bytes of a message"});
}

TEST_CASE("a live source tells encoding and type from the first message")
{
    std::promise<NetworkAddress> opened;
    NetworkOptions options;
    options.on_open = [&](const NetworkAddress& address) { opened.set_value(address); };
    options.topic = "front";
    auto opening =
        std::async(std::launch::async, [&] { return open_network(parse_network_address("tcp://*:0"), options); });
    const auto sender = RawSocket::connected(SOCK_STREAM, opened.get_future().get().port);
    const Scene scene({.type = MessageType::sensor_view, .frames = 2, .moving_objects = 3});
    const auto message = [&](std::uint64_t i) {
        ByteBuffer payload;
        scene.frame(i, payload);
        return std::string(text_of(payload.bytes()));
    };
    sender.send(behind_its_length(message(0)));
    const auto source = opening.get();
    sender.send(behind_its_length(message(1)));
    const auto& channel = source->info().channels.at(0);
    CHECK(channel.type == MessageType::sensor_view);
    CHECK(channel.format == Format{});
    CHECK(channel.topic == "front");
    CHECK(channel.root != nullptr);
    Frame frame;
    REQUIRE(source->read(frame));
    CHECK(text_of(frame.bytes) == message(0));
    CHECK(timestamp_of(frame.bytes, channel) == 0s);
    REQUIRE(source->read(frame));
    CHECK(frame.index == 1);
    CHECK(frame.offset == 4 + message(0).size());
    CHECK(text_of(frame.bytes) == message(1));
}

TEST_CASE("a message that is no OSI and a stop end the opening of a live source")
{
    const auto ended = [](const std::string& said, bool stop) {
        std::promise<NetworkAddress> opened;
        std::stop_source stopping;
        NetworkOptions options;
        options.on_open = [&](const NetworkAddress& address) { opened.set_value(address); };
        options.stop = stopping.get_token();
        auto opening = std::async(std::launch::async, [&] {
            return error_of([&] { return open_network(parse_network_address("tcp://127.0.0.1:0?listen"), options); });
        });
        const auto port = opened.get_future().get().port;
        if (stop)
            stopping.request_stop();
        else
            RawSocket::connected(SOCK_STREAM, port).send(said);
        return opening.get().substr(address_text("tcp", port).size());
    };
    CHECK(ended("", true) == ": stopped before the first message");
    CHECK(ended(behind_its_length("\xff\xff\xff"), false) ==
          ": the content is not an OSI message: no FlatBuffers identifier, and in Protobuf none of 10 types fits "
          "(closest: "
          "SensorView (sv), a tag that "
          "the end of the message cuts off)");
    // Four messages that could be of several types are enough to say so.
    const auto unclear = behind_its_length(sensor_view(1));
    CHECK(ended(unclear + unclear + unclear + unclear, false).find("--type") != std::string::npos);
}

TEST_CASE("a source that listens waits for a sender after peers that are none")
{
    Receiving receiving("tcp://127.0.0.1:0?listen");
    const auto name = to_string(receiving.source->address());
    RawSocket::connected(SOCK_STREAM, receiving.port()).close();
    RawSocket::connected(SOCK_STREAM, receiving.port()).send("GET / HTTP/1.1\r\n\r\n");
    RawSocket::connected(SOCK_STREAM, receiving.port()).send(behind_its_length("abc").substr(0, 5));
    RawSocket::connected(SOCK_STREAM, receiving.port()).send(behind_its_length("defgh"));
    CHECK(receiving.read() == "defgh");
    CHECK(receiving.notes ==
          std::vector{name + ": a peer connected and disconnected, and sent nothing",
                      name + ": a peer that is no sender was disconnected: length 542393671 exceeds the limit of "
                             "1048576 bytes (--max-message raises it)"});
    CHECK(receiving.lost == std::vector<std::string>{"0: the sender disconnected after 1 of 3 bytes of a message"});
    CHECK(receiving.read() == "<end>");
}

TEST_CASE("a length over the limit ends a live stream with address, frame, byte and limit")
{
    Receiving receiving("tcp://127.0.0.1:0?listen", 1000);
    const auto name = to_string(receiving.source->address());
    {
        const auto sender = RawSocket::connected(SOCK_STREAM, receiving.port());
        sender.send(behind_its_length("abc") + "\xff\xff\xff\xff");
        CHECK(receiving.read() == "abc");
        CHECK(receiving.read() == name + ": frame 1 at byte 7: length 4294967295 exceeds the limit of 1000 bytes");
    }
    const auto next = RawSocket::connected(SOCK_STREAM, receiving.port());
    next.send(behind_its_length("def"));
    CHECK(receiving.read() == "def");
}

TEST_CASE("a sender that goes away inside a message ends a live stream in an error")
{
    Receiving receiving("tcp://127.0.0.1:0?listen");
    const auto name = to_string(receiving.source->address());
    RawSocket::connected(SOCK_STREAM, receiving.port())
        .send(behind_its_length("abc") + behind_its_length("defgh").substr(0, 6));
    CHECK(receiving.read() == "abc");
    CHECK(receiving.read() == name + ": frame 1 at byte 7: the sender disconnected after 2 of 5 bytes of a message");
    RawSocket::connected(SOCK_STREAM, receiving.port()).send("\x01");
    CHECK(receiving.read() ==
          name + ": frame 1 at byte 13: the sender disconnected after 1 of 4 bytes of the length of a message");
}

TEST_CASE("a TCP source goes on with the next sender where it is told to")
{
    Receiving receiving("tcp://127.0.0.1:0?listen", 1 << 20, true);
    RawSocket::connected(SOCK_STREAM, receiving.port())
        .send(behind_its_length("a") + behind_its_length("bcd").substr(0, 5));
    CHECK(receiving.read() == "a");
    const auto second = RawSocket::connected(SOCK_STREAM, receiving.port());
    second.send(behind_its_length("e"));
    CHECK(receiving.read() == "e");
    CHECK(receiving.lost == std::vector<std::string>{"1: the sender disconnected after 1 of 3 bytes of a message"});
    CHECK(receiving.source->lost() == 1);
}

TEST_CASE("a stop ends a read of a live source")
{
    Receiving receiving("tcp://127.0.0.1:0?listen");
    auto message = std::async(std::launch::async, [&] { return receiving.read(); });
    CHECK(message.wait_for(20ms) == std::future_status::timeout);
    const auto sender = RawSocket::connected(SOCK_STREAM, receiving.port());
    sender.send("\x05");
    receiving.stop.request_stop();
    CHECK(message.get() == "<end>");
    receiving.stop = {};
    sender.send(std::string("\0\0\0abcde", 8));
    CHECK(receiving.read() == "abcde");
}
