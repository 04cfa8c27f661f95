// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/net/net_fixture.hpp"
#include "tests/lib/net/raw_zmq.hpp"

using namespace ositrace;

TEST_CASE("a PUSH sink binds, and one message is one payload")
{
    Sending sending("zmq+push://127.0.0.1:0");
    CHECK(sending.port() != 0);
    const RawZmq receiver(ZMQ_PULL);
    receiver.connect(sending.port());
    sending.begin();
    sending.take("one");
    sending.take("");
    sending.take(std::string(3'000'000, 'x'));
    CHECK(receiver.receive() == "one");
    CHECK(receiver.receive().empty());
    CHECK(receiver.receive() == std::string(3'000'000, 'x'));
    CHECK(sending.sent() == 3);
    sending.sink->finish();
}

TEST_CASE("with parts=topic a message is topic, payload and time, of several channels, too")
{
    const bool push = GENERATE(true, false);
    Sending sending(push ? "zmq+push://127.0.0.1:0?parts=topic" : "zmq+pub://127.0.0.1:0?parts=topic&subscribers=1");
    sending.add_channel("rear");
    const RawZmq receiver(push ? ZMQ_PULL : ZMQ_SUB);
    if (!push) ::zmq_setsockopt(receiver.get(), ZMQ_SUBSCRIBE, "", 0);
    receiver.connect(sending.port());
    sending.begin();
    const std::string payload(100'000, 'x');
    sending.take(payload);
    sending.take("", 1);
    CHECK(receiver.receive() == "front<more>");
    CHECK(receiver.receive() == payload + "<more>");
    CHECK(receiver.receive() == "0");
    CHECK(receiver.receive() == "rear<more>");
    CHECK(receiver.receive() == "<more>");
    CHECK(receiver.receive() == "0");
    CHECK(sending.sent() == 2);
}

TEST_CASE("a PUSH sink connects where it is told to")
{
    const RawZmq receiver(ZMQ_PULL);
    Sending sending(address_text("zmq+push", receiver.bind(), "?connect"));
    CHECK_FALSE(sending.sink->address().listen.value());
    sending.begin();
    sending.take("one");
    CHECK(receiver.receive() == "one");
}

TEST_CASE("what a PUSH sink has in its queue arrives behind its end")
{
    Sending sending("zmq+push://127.0.0.1:0");
    const RawZmq receiver(ZMQ_PULL, 1);
    receiver.connect(sending.port());
    sending.begin();
    for (int i = 0; i != 20; ++i) sending.take(std::string(200'000, static_cast<char>('a' + i)));
    auto finished = std::async(std::launch::async, [&] { sending.sink->finish(); });
    int in_order = 0;
    for (int i = 0; i != 20; ++i) in_order += receiver.receive() == std::string(200'000, static_cast<char>('a' + i));
    CHECK(in_order == 20);
    finished.get();
}

TEST_CASE("what a receiver has not taken when the wait for it ends is a loss")
{
    const bool push = GENERATE(true, false);
    NetworkSinkOptions options;
    options.linger = 200ms;
    Sending sending(push ? "zmq+push://127.0.0.1:0" : "zmq+pub://127.0.0.1:0?subscribers=1", std::move(options));
    const RawZmq receiver(push ? ZMQ_PULL : ZMQ_SUB, 1);
    receiver.connect(sending.port());
    sending.begin();
    constexpr std::uint64_t frames = 20;  // fewer than are queued, more than the system takes
    for (std::uint64_t i = 0; i != frames; ++i) sending.take(std::string(1 << 20, 'x'));
    sending.sink->finish();
    const auto counts = sending.sink->counts();
    CHECK(counts.sent + counts.not_delivered == frames);
    CHECK(counts.not_delivered == 1);
    CHECK(counts.at_least);
}

TEST_CASE("a PUSH sink waits for a slow receiver and loses nothing, its queue is short")
{
    Sending sending("zmq+push://127.0.0.1:0");
    const RawZmq receiver(ZMQ_PULL, 1);
    receiver.connect(sending.port());
    sending.begin();
    constexpr int count = 100;
    auto all = std::async(std::launch::async, [&] {
        for (int i = 0; i != count; ++i) sending.take(std::string(1 << 20, static_cast<char>(i)));
    });
    CHECK(all.wait_for(200ms) == std::future_status::timeout);
    int in_order = 0;
    for (int i = 0; i != count; ++i) in_order += receiver.receive() == std::string(1 << 20, static_cast<char>(i));
    all.get();
    CHECK(in_order == count);
    CHECK(sending.sent() == count);
    CHECK(sending.not_delivered() == 0);
}

TEST_CASE("a PUSH sink whose receiver has gone waits for the next, until a stop")
{
    Sending sending("zmq+push://127.0.0.1:0");
    RawZmq first(ZMQ_PULL);
    first.connect(sending.port());
    sending.begin();
    sending.take("to the first");
    CHECK(first.receive() == "to the first");
    first.close();
    auto all = std::async(std::launch::async, [&] {
        while (!sending.stop.stop_requested()) sending.take("whoever comes");
    });
    const RawZmq second(ZMQ_PULL);
    second.connect(sending.port());
    CHECK(second.receive() == "whoever comes");
    sending.stop.request_stop();
    CHECK(all.wait_for(20s) == std::future_status::ready);
}

TEST_CASE("a stop ends the wait of a PUSH sink for a receiver")
{
    Sending sending("zmq+push://127.0.0.1:0");
    auto begun = std::async(std::launch::async, [&] {
        sending.begin();
        sending.take("to nobody");
        sending.sink->finish();
    });
    CHECK(begun.wait_for(20ms) == std::future_status::timeout);
    sending.stop.request_stop();
    CHECK(begun.wait_for(20s) == std::future_status::ready);
    CHECK(sending.not_delivered() == 1);
}

TEST_CASE("a PUB sink sends to subscribers, and counts what it sends to nobody")
{
    Sending sending("zmq+pub://127.0.0.1:0");
    sending.begin();
    sending.take("too early");
    CHECK(sending.not_delivered() == 1);
    const RawZmq subscriber(ZMQ_SUB);
    subscriber.connect(sending.port());
    CHECK(comes_true([&] {
        sending.take("hello");
        return sending.sent() == 1;
    }));
    CHECK(subscriber.receive() == "hello");
}

TEST_CASE("a PUB sink that is told to wait begins with its first subscriber")
{
    Sending sending("zmq+pub://127.0.0.1:0?wait=20");
    auto begun = std::async(std::launch::async, [&] { sending.begin(); });
    const RawZmq subscriber(ZMQ_SUB);
    subscriber.connect(sending.port());
    begun.get();
    sending.take("first");
    CHECK(subscriber.receive() == "first");
    CHECK(sending.not_delivered() == 0);
}

TEST_CASE("a PUB sink that is told for how many subscribers to wait begins with the last of them")
{
    Sending sending("zmq+pub://127.0.0.1:0?subscribers=2");
    auto begun = std::async(std::launch::async, [&] { sending.begin(); });
    const RawZmq one(ZMQ_SUB);
    one.connect(sending.port());
    CHECK(begun.wait_for(200ms) == std::future_status::timeout);
    const RawZmq other(ZMQ_SUB);
    other.connect(sending.port());
    begun.get();
    sending.take("first");
    CHECK(one.receive() == "first");
    CHECK(other.receive() == "first");
    CHECK(sending.not_delivered() == 0);
}

TEST_CASE("too few subscribers within the wait are an error that counts them")
{
    const RawZmq one(ZMQ_SUB);
    Sending sending("zmq+pub://127.0.0.1:0?wait=0&subscribers=2");
    one.connect(sending.port());
    const auto address = address_text("zmq+pub", sending.port());
    CHECK(comes_true([&] {
        return error_of([&] {
                   sending.begin();
                   return 0;
               }) == address + ": 1 of 2 subscribers within 0 ms";
    }));
}

TEST_CASE("every frame that a PUB sink drops for its one subscriber is counted")
{
    Sending sending("zmq+pub://127.0.0.1:0?wait=20");
    const RawZmq subscriber(ZMQ_SUB, 1);
    subscriber.connect(sending.port());
    sending.begin();
    for (int i = 0; i != 200; ++i) sending.take(std::string(1 << 20, 'x'));
    CHECK(sending.not_delivered() > 0);
    std::uint64_t received = 0;
    for (; received != sending.sent(); ++received)
        if (subscriber.receive().size() != 1 << 20) break;
    CHECK(received == sending.sent());
    CHECK(comes_true([&] {
        sending.take("behind");
        zmq_pollitem_t item{subscriber.get(), 0, ZMQ_POLLIN, 0};
        return ::zmq_poll(&item, 1, 0) == 1;
    }));
    CHECK(subscriber.receive() == "behind");
}

TEST_CASE(
    "a PUB sink drops what a slow subscriber has no room for, counts it, and never waits, another subscriber gets all")
{
    Sending sending("zmq+pub://127.0.0.1:0?wait=20");
    const RawZmq slow(ZMQ_SUB, 1);
    const RawZmq quick(ZMQ_SUB);
    slow.connect(sending.port());
    quick.connect(sending.port());
    sending.begin();
    const auto marked = [](int i) { return std::string(1 << 20, static_cast<char>(i)); };
    // Both are there once the quick one hears something.
    CHECK(comes_true([&] {
        sending.take("?");
        zmq_pollitem_t item{quick.get(), 0, ZMQ_POLLIN, 0};
        return ::zmq_poll(&item, 1, 0) == 1;
    }));
    int received = 0;
    const auto before = sending.sent() + sending.not_delivered();
    std::string said = quick.receive();
    while (said == "?") {
        zmq_pollitem_t item{quick.get(), 0, ZMQ_POLLIN, 0};
        if (::zmq_poll(&item, 1, 100) == 0) break;
        said = quick.receive();
    }
    const auto lost_before = sending.not_delivered();
    for (int i = 0; i != 120; ++i) {
        sending.take(marked(i));
        received += quick.receive() == marked(i);
    }
    CHECK(received == 120);
    CHECK(sending.not_delivered() > lost_before);
    CHECK(sending.sent() + sending.not_delivered() == before + 120);
}

TEST_CASE("an interface that is not there cannot be bound to")
{
    const auto error = [](const std::string& address) {
        return error_of([&] { return open_network_sink(parse_network_address(address)); });
    };
    const RawZmq taken(ZMQ_PUSH);
    const auto address = address_text("zmq+push", taken.bind());
    CHECK(error(address) == address + ": the port is already in use (Address already in use)");
    CHECK(error("zmq+push://192.0.2.1:5000") ==
          "zmq+push://192.0.2.1:5000: no address of this machine to listen at (Cannot assign requested "
          "address); *:5000 listens at all of them, ?connect connects to it");
    CHECK(error("zmq+pub://*:5000?connect") ==
          "zmq+pub://*:5000: * and port 0 are addresses to bind to, not to connect to");
}
