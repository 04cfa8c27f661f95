// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_socket.hpp"

using namespace ositrace;
using Texts = std::vector<std::string>;

TEST_CASE("a TCP sink connects and sends payloads behind their length, an empty one too")
{
    const auto listener = RawSocket::bound(SOCK_STREAM);
    Sending sending(address_text("tcp", listener.port()));
    sending.begin();
    const auto receiver = listener.accept();
    sending.take("one");
    sending.take("");
    sending.take(std::string(300'000, 'x'));
    auto received = std::async(std::launch::async, [&] { return receiver.receive_all_messages(); });
    sending.sink->finish();
    CHECK(received.get() == Texts{"one", "", std::string(300'000, 'x')});
    CHECK(sending.sent() == 3);
    CHECK(sending.not_delivered() == 0);
}

TEST_CASE("a TCP sink that listens serves one receiver after the other, and counts what came in between")
{
    Sending sending("tcp://127.0.0.1:0?listen");
    auto first = RawSocket::connected(SOCK_STREAM, sending.port());
    sending.begin();
    sending.take("to the first");
    CHECK(first.receive_message() == "to the first");
    first.close();
    // The system takes a few frames for one that has gone, until it says so.
    CHECK(comes_true([&] {
        sending.take("to nobody");
        return sending.not_delivered() >= 2;
    }));
    const auto lost = sending.not_delivered();
    const auto second = RawSocket::connected(SOCK_STREAM, sending.port());
    sending.take("to the second");
    CHECK(second.receive_message() == "to the second");
    CHECK(sending.not_delivered() == lost);
}

TEST_CASE("a TCP sink that connects does so again")
{
    auto listener = RawSocket::bound(SOCK_STREAM);
    const auto port = listener.port();
    Sending sending(address_text("tcp", port));
    sending.begin();
    auto receiver = listener.accept();
    sending.take("a");
    CHECK(receiver.receive_message() == "a");
    listener.close();
    receiver.close();
    CHECK(comes_true([&] {
        sending.take("to nobody");
        return sending.not_delivered() != 0;
    }));
    listener = RawSocket::bound(SOCK_STREAM, port);
    const auto sent = sending.sent();
    CHECK(comes_true([&] {
        sending.take("again");
        return sending.sent() > sent;
    }));
    CHECK(listener.accept().receive_message() == "again");
}

TEST_CASE("a TCP sink waits for a slow receiver and loses nothing")
{
    const auto listener = RawSocket::bound(SOCK_STREAM, 0, 4096);
    Sending sending(address_text("tcp", listener.port()));
    sending.begin();
    const auto receiver = listener.accept();
    constexpr int count = 24;
    auto all = std::async(std::launch::async, [&] {
        for (int i = 0; i != count; ++i) sending.take(std::string(1 << 20, static_cast<char>('a' + i)));
        sending.sink->finish();
    });
    CHECK(all.wait_for(100ms) == std::future_status::timeout);
    int in_order = 0;
    while (const auto message = receiver.receive_message())
        in_order += *message == std::string(1 << 20, static_cast<char>('a' + in_order));
    all.get();
    CHECK(in_order == count);
    CHECK(sending.sent() == count);
    CHECK(sending.sink->counts().waited >= 50ms);
}

TEST_CASE("a stop ends a send that a receiver keeps waiting")
{
    const auto listener = RawSocket::bound(SOCK_STREAM, 0, 4096);
    Sending sending(address_text("tcp", listener.port()));
    sending.begin();
    const auto receiver = listener.accept();
    std::atomic<int> begun = 0;
    auto all = std::async(std::launch::async, [&] {
        while (!sending.stop.stop_requested()) {
            ++begun;
            sending.take(std::string(1 << 20, 'x'));
        }
        sending.sink->finish();
    });
    for (int earlier = 0; earlier == 0 || earlier != begun;) {  // until a send waits
        earlier = begun;
        CHECK(all.wait_for(50ms) == std::future_status::timeout);
    }
    sending.stop.request_stop();
    CHECK(all.wait_for(20s) == std::future_status::ready);
    CHECK(sending.not_delivered() == 1);
}

TEST_CASE("a sink waits for its first receiver as long as it is told to, or until a stop")
{
    int waits = 0;
    NetworkSinkOptions options;
    options.on_waiting = [&](const NetworkAddress&) { ++waits; };
    Sending told("tcp://127.0.0.1:0?listen&wait=0.02", options);
    CHECK(error_of([&] { return told.begin(), 0; }) == to_string(told.sink->address()) + ": no receiver within 20 ms");
    CHECK(waits == 1);
    Sending not_waiting("tcp://127.0.0.1:0?listen&wait=0", options);
    not_waiting.begin();
    not_waiting.take("to nobody");
    CHECK(not_waiting.not_delivered() == 1);
    CHECK(waits == 1);
    Sending stopped("tcp://127.0.0.1:0?listen");
    auto begun = std::async(std::launch::async, [&] { stopped.begin(); });
    CHECK(begun.wait_for(20ms) == std::future_status::timeout);
    stopped.stop.request_stop();
    CHECK(begun.wait_for(20s) == std::future_status::ready);
}

TEST_CASE("a sink begins as soon as the receiver comes that it waits for")
{
    Sending sending("tcp://127.0.0.1:0?listen&wait=20");
    auto begun = std::async(std::launch::async, [&] { sending.begin(); });
    const auto receiver = RawSocket::connected(SOCK_STREAM, sending.port());
    begun.get();
    sending.take("first");
    CHECK(receiver.receive_message() == "first");
}

TEST_CASE("frames of two channels are refused, because a receiver could not tell them apart")
{
    const auto listener = RawSocket::bound(SOCK_STREAM);
    Sending sending(address_text("tcp", listener.port()));
    const auto refusal = address_text("tcp", listener.port()) +
                         ": 2 channels ('front', 'rear'): a receiver cannot tell them apart, choose one with --topic";
    sending.begin();
    sending.take("front", 0);
    sending.add_channel("rear");
    CHECK(error_of([&] { return sending.take("rear", 1), 0; }) == refusal);
    CHECK(error_of([&] { return sending.begin(), 0; }) == refusal);
}

TEST_CASE("a place that cannot be listened at or sent to says why")
{
    const auto taken = RawSocket::bound(SOCK_STREAM);
    const auto error = [](const std::string& address) {
        return error_of([&] { return open_network_sink(parse_network_address(address)); });
    };
    const auto address = address_text("tcp", taken.port());
    CHECK(error(address + "?listen") == address + ": the port is already in use (Address already in use)");
    CHECK(error("tcp://192.0.2.1:5000?listen") ==
          "tcp://192.0.2.1:5000: no address of this machine to listen at (Cannot assign requested "
          "address); *:5000 listens at all of them, ?connect connects to it");
    CHECK(error("tcp://*:5000?connect") == "tcp://*:5000: * and port 0 are addresses to listen at, not to send to");
    CHECK(error("udp://127.0.0.1:0") == "udp://127.0.0.1:0: * and port 0 are addresses to listen at, not to send to");
    CHECK(error("tcp://no.such.host.invalid:5000")
              .starts_with("tcp://no.such.host.invalid:5000: 'no.such.host.invalid': "));
    CHECK(error("zmq+sub://127.0.0.1:5000") == "zmq+sub://127.0.0.1:5000: zmq+sub receives, it cannot be a sink");
    CHECK(error_of([&] { return open_network(parse_network_address("zmq+pub://127.0.0.1:5000")); }) ==
          "zmq+pub://127.0.0.1:5000: zmq+pub sends, it cannot be a source");
}
