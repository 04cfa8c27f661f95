// SPDX-License-Identifier: MPL-2.0
#include <ositrace/network_address.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;

namespace {

std::string error(const std::string& text)
{
    return error_of([&] { return parse_network_address(text).port; });
}

}  // namespace

TEST_CASE("a network address is a transport, a host, and a port")
{
    const auto push = parse_network_address("zmq+push://*:5555");
    CHECK(push.transport == Transport::zmq_push);
    CHECK(push.host == "*");
    CHECK(push.port == 5555);
    CHECK_FALSE(push.listen);
    CHECK(to_string(push) == "zmq+push://*:5555");

    const auto tcp = parse_network_address("tcp://[fe80::1%eth0]:65535?listen&wait=1.5");
    CHECK(tcp.host == "fe80::1%eth0");
    CHECK(tcp.listen == true);
    CHECK(tcp.wait == std::chrono::milliseconds(1500));
    CHECK(to_string(tcp) == "tcp://[fe80::1%eth0]:65535");

    CHECK(parse_network_address("zmq+pub://*:1?wait=5&subscribers=3").subscribers == 3);
    CHECK(parse_network_address("udp://localhost").pace == 50'000'000);
    CHECK(parse_network_address("udp://localhost?pace=2.5").pace == 2'500'000);
    CHECK(parse_network_address("udp://localhost?pace=0").pace == 0);
    CHECK(parse_network_address("udp://localhost").port == 48198);
    CHECK(parse_network_address("udp://[::1]").host == "::1");
    CHECK(is_network_address("zmq+sub://x:1"));
    CHECK(is_network_address("ftp://x"));
    CHECK_FALSE(is_network_address("a.osi"));
    CHECK_FALSE(is_network_address("C://x"));
    CHECK_FALSE(is_network_address("://x"));
}

TEST_CASE("who listens: the one with a star, ZeroMQ senders, UDP receivers, and whoever is told to")
{
    const auto sends = [](const std::string& text) { return sender_listens(parse_network_address(text)); };
    const auto receives = [](const std::string& text) { return receiver_listens(parse_network_address(text)); };
    CHECK(sends("zmq+push://10.0.0.7:1"));
    CHECK(sends("zmq+pub://10.0.0.7:1"));
    CHECK_FALSE(sends("zmq+pub://10.0.0.7:1?connect"));
    CHECK_FALSE(sends("tcp://10.0.0.7:1"));
    CHECK(sends("tcp://10.0.0.7:1?listen"));
    CHECK(sends("tcp://*:1"));
    CHECK_FALSE(sends("udp://10.0.0.7"));
    CHECK_FALSE(receives("zmq+pull://10.0.0.7:1"));
    CHECK(receives("zmq+sub://*:1"));
    CHECK(receives("zmq+sub://10.0.0.7:1?listen"));
    CHECK_FALSE(receives("tcp://10.0.0.7:1"));
    CHECK(receives("udp://10.0.0.7"));
}

TEST_CASE("an invalid network address says what is wrong")
{
    CHECK(error("a.osi") == "'a.osi': not a network address, expected TRANSPORT://HOST:PORT");
    CHECK(error("ftp://x:1") ==
          "'ftp://x:1': unknown transport 'ftp' (known: zmq+push://, zmq+pub://, zmq+pull://, zmq+sub://, tcp://, "
          "udp://, foxglove://, web://)");
    CHECK(error("tcp://:1") == "'tcp://:1': no host, expected a name, an address, or * for all interfaces");
    CHECK(error("tcp://x") == "'tcp://x': no port, expected HOST:PORT");
    CHECK(error("tcp://x:") == "'tcp://x:': '' is not a port (1 to 65535, or 0 for a free one)");
    CHECK(error("tcp://x:65536") == "'tcp://x:65536': '65536' is not a port (1 to 65535, or 0 for a free one)");
    CHECK(error("tcp://x:-1") == "'tcp://x:-1': '-1' is not a port (1 to 65535, or 0 for a free one)");
    CHECK(error("tcp://x:5 ") == "'tcp://x:5 ': '5 ' is not a port (1 to 65535, or 0 for a free one)");
    CHECK(error("tcp://[::1]5") == "'tcp://[::1]5': '5' is not a port (1 to 65535, or 0 for a free one)");
    CHECK(error("tcp://[::1:5") == "'tcp://[::1:5': the bracket of the IPv6 address is not closed");
    CHECK(error("tcp://fe80::1:5") == "'tcp://fe80::1:5': write an IPv6 address in brackets: [::1]:5000");
    CHECK(error("tcp://x:5?bind") ==
          "'tcp://x:5?bind': unknown option 'bind' (known: listen, connect, wait=SECONDS, from=model)");
    CHECK(error("tcp://x:5?") == "'tcp://x:5?': unknown option '' (known: listen, connect, wait=SECONDS, from=model)");
    CHECK(error("zmq+sub://x:5?wait=1") == "'zmq+sub://x:5?wait=1': unknown option 'wait=1' (known: listen, connect)");
    CHECK(error("udp://x:5?listen") ==
          "'udp://x:5?listen': unknown option 'listen' (known: part=BYTES, pace=MB_PER_SECOND, from=model)");
    CHECK(error("tcp://x:5?wait=soon") ==
          "'tcp://x:5?wait=soon': 'soon' is not a time to wait (seconds, 0 to 1000000)");
    CHECK(error("tcp://x:5?listen=1") ==
          "'tcp://x:5?listen=1': unknown option 'listen=1' (known: listen, connect, wait=SECONDS, from=model) "
          "(did you mean 'listen'?)");
    CHECK(error("zmq+push://x:5?subscribers=1") ==
          "'zmq+push://x:5?subscribers=1': unknown option 'subscribers=1' (known: listen, connect, wait=SECONDS, "
          "parts=topic, from=model)");
    CHECK(error("zmq+pub://x:5?subscriber=1") ==
          "'zmq+pub://x:5?subscriber=1': unknown option 'subscriber=1' (known: listen, connect, wait=SECONDS, "
          "subscribers, subscribers=N, parts=topic, from=model) (did you mean 'subscribers=1'?)");
    CHECK(error("zmq+pub://x:5?subscribers=0") ==
          "'zmq+pub://x:5?subscribers=0': '0' is not a number of subscribers (1 to 1000000)");
    CHECK(error("zmq+pub://x:5?subscribers=") ==
          "'zmq+pub://x:5?subscribers=': '' is not a number of subscribers (1 to 1000000)");
    CHECK(error("udp://x:5?pace=slow") ==
          "'udp://x:5?pace=slow': 'slow' is not a pace (MB per second, 0 to 100000; 0: no pauses)");
    CHECK(error("udp://x:5?part=0") == "'udp://x:5?part=0': '0' is not a size of a part (1 to 65499 bytes)");
    CHECK(error("udp://x:5?part=65500") ==
          "'udp://x:5?part=65500': '65500' is not a size of a part (1 to 65499 bytes)");
    CHECK(error("zmq+pub://x:5?parts=all") == "'zmq+pub://x:5?parts=all': 'all' is unknown, expected topic");
    CHECK(error("udp://x:5?from=trace") == "'udp://x:5?from=trace': 'trace' is unknown, expected model");
    CHECK(error("tcp://x:5?wait=-1") == "'tcp://x:5?wait=-1': '-1' is not a time to wait (seconds, 0 to 1000000)");
}

TEST_CASE("a misspelt option of an address, or one without its value, is answered with the one that is meant")
{
    const auto meant = [](const char* text) {
        const auto why = error(text);
        constexpr std::string_view question = "did you mean '";
        const auto at = why.find(question);
        return at == why.npos ? "" : why.substr(at + question.size(), why.rfind('\'') - at - question.size());
    };
    CHECK(meant("foxglove://?subscriberz") == "subscribers");
    CHECK(meant("foxglove://?subscriberz=2") == "subscribers=2");
    CHECK(meant("foxglove://?statc=expand") == "static=expand");
    CHECK(meant("foxglove://?static") == "static=expand");
    CHECK(meant("foxglove://?flatbufers") == "flatbuffers");
    CHECK(meant("zmq+pub://*:1?frm=model") == "from=model");
    CHECK(meant("zmq+pub://*:1?from") == "from=model");
    CHECK(meant("zmq+push://*:1?part=topic") == "parts=topic");
    CHECK(meant("tcp://x:5?wiat=5") == "wait=5");
    CHECK(meant("tcp://x:5?wait") == "wait=SECONDS");
    CHECK(meant("tcp://x:5?listn&wait=5") == "listen");
    CHECK(meant("udp://x:5?paec=5") == "pace=5");
    CHECK(meant("udp://x:5?listen").empty());
    CHECK(meant("zmq+sub://x:5?conect") == "connect");
    CHECK(meant("foxglov://x:5") == "foxglove");
    CHECK(meant("zmq+puhs://x:5") == "zmq+push");
}
