// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_zmq.hpp"

using namespace ositrace;
using sample::sensor_view;
using Texts = std::vector<std::string>;

TEST_CASE("a PULL source connects to a player that is bound, also one that comes later")
{
    const RawZmq sender(ZMQ_PUSH);
    Receiving receiving(address_text("zmq+pull", sender.bind()));
    sender.send(sensor_view(1));
    sender.send("");
    sender.send(sensor_view(2, 3'000));
    CHECK(receiving.read() == sensor_view(1));
    CHECK(receiving.read() == sensor_view(2, 3'000));
    CHECK(receiving.notes.size() == 1);  // the empty message is left out
}

TEST_CASE("a SUB source gets what a publisher sends")
{
    const RawZmq sender(ZMQ_PUB);
    Receiving receiving(address_text("zmq+sub", sender.bind()));
    auto message = std::async(std::launch::async, [&] { return receiving.read(); });
    CHECK(comes_true([&] {
        sender.send(sensor_view(1));
        return message.wait_for(1ms) == std::future_status::ready;
    }));
    CHECK(message.get() == sensor_view(1));
}

TEST_CASE("a PULL source that binds names its port")
{
    Receiving receiving("zmq+pull://127.0.0.1:0?listen");
    const RawZmq sender(ZMQ_PUSH);
    sender.connect(receiving.port());
    sender.send("a");
    CHECK(receiving.read() == "a");
}

TEST_CASE("a message of several parts is no payload: it is lost and counted")
{
    const RawZmq sender(ZMQ_PUSH);
    Receiving receiving(address_text("zmq+pull", sender.bind()));
    sender.send("topic", true);
    sender.send("more", true);
    sender.send("payload");
    sender.send("whole");
    CHECK(receiving.read() == "whole");
    CHECK(receiving.lost == Texts{"0: a message of 3 parts, expected 1: the payload"});
}

TEST_CASE("a ZeroMQ message over the limit is lost and counted")
{
    const RawZmq sender(ZMQ_PUSH);
    Receiving receiving(address_text("zmq+pull", sender.bind()), 1000);
    sender.send(std::string(1000, 'x'));
    sender.send(std::string(1001, 'x'));
    sender.send("behind");
    CHECK(receiving.read() == std::string(1000, 'x'));
    CHECK(receiving.read() == "behind");
    CHECK(receiving.lost == Texts{"1: length 1001 exceeds the limit of 1000 bytes (--max-message raises it)"});
}

TEST_CASE("a stop ends a read of a ZeroMQ source")
{
    Receiving receiving("zmq+sub://127.0.0.1:0?listen");
    auto message = std::async(std::launch::async, [&] { return receiving.read(); });
    CHECK(message.wait_for(20ms) == std::future_status::timeout);
    receiving.stop.request_stop();
    CHECK(message.get() == "<end>");
}

TEST_CASE("what the ZeroMQ sinks send the ZeroMQ sources receive")
{
    Sending push("zmq+push://127.0.0.1:0");
    Receiving pull(address_text("zmq+pull", push.port()));
    push.begin();
    push.take(sensor_view(1));
    CHECK(pull.read() == sensor_view(1));
    Sending pub("zmq+pub://127.0.0.1:0?wait=20");
    Receiving sub(address_text("zmq+sub", pub.port()));
    pub.begin();
    pub.take(sensor_view(2));
    CHECK(sub.read() == sensor_view(2));
}
