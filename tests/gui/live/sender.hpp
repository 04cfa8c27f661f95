// SPDX-License-Identifier: MPL-2.0
// Who sends to the viewer in a test.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QString>
#include <QTest>

#include <ositrace/network_sink.hpp>

#include "tests/gui/sample_trace.hpp"

namespace ositrace::test {

inline SceneOptions sent_scene()
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.moving_objects = 5;
    options.reflections = 0;
    options.static_data = StaticData::first_frame;
    return options;
}

/// How messages come to the viewer.
struct Way {
    const char* name;
    const char* sender;    ///< the transport that sends
    const char* options;   ///< of the sender
    const char* receiver;  ///< the transport of the viewer
    bool may_lose;         ///< messages of a sender that is faster than the viewer
    bool says_end;         ///< the viewer notices that the sender has gone
};
inline constexpr Way ways[] = {
    {"tcp", "tcp", "?listen&wait=20", "tcp", false, true},
#ifdef OSITRACE_TEST_ZMQ
    {"zmq push", "zmq+push", "?wait=20", "zmq+pull", false, false},
    {"zmq pub", "zmq+pub", "?wait=20&subscribers=1", "zmq+sub", true, false},
#endif
    {"udp", "udp", "", "udp", true, false},
#ifdef OSITRACE_TEST_FOXGLOVE
    {"foxglove", "foxglove", "?wait=20&subscribers=1", "foxglove", true, true},
#endif
};
inline const Way& way_named(const QString& name)
{
    return *std::ranges::find_if(ways, [&](const Way& way) { return name == QLatin1String(way.name); });
}
inline void add_ways()
{
    QTest::addColumn<QString>("way");
    for (const auto& way : ways) QTest::newRow(way.name) << QString::fromLatin1(way.name);
}

/// That nothing listens at. A UDP sender needs to know it before its receiver is there.
inline std::uint16_t free_udp_port()
{
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    const bool is_bound = ::bind(socket, any, size) == 0 && ::getsockname(socket, any, &size) == 0;
    ::close(socket);
    return is_bound ? ntohs(address.sin_port) : std::uint16_t{0};
}

/// A sender on the loopback, with the frames of the sample scene. It listens from its construction on, but for UDP,
/// where the viewer listens.
class Sender {
public:
    explicit Sender(const Way& way = ways[0], std::uint16_t port = 0, const SceneOptions& options = sent_scene())
        : scene_(options)
    {
        const bool is_udp = way.sender == std::string_view("udp");
        if (is_udp && port == 0) port = free_udp_port();
        NetworkSinkOptions sink;
        sink.stop = stop_.get_token();
        sink.linger = std::chrono::milliseconds(0);
        const auto at = std::string(way.sender) + "://127.0.0.1:" + std::to_string(port) + way.options;
        sink_ = open_network_sink(parse_network_address(at), std::move(sink));
        port_ = sink_->address().port;
        address_ = way.receiver + std::string(is_udp ? "://*:" : "://127.0.0.1:") + std::to_string(port_);
    }
    ~Sender() { stop_.request_stop(); }
    [[nodiscard]] const std::string& address() const { return address_; }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// Waits for the viewer.
    void begin() { sink_->begin(scene_.info(), {{}, std::chrono::milliseconds(100), {}}); }
    void send(std::uint64_t from, std::uint64_t to)
    {
        for (auto i = from; i != to; ++i) {
            auto payload = std::make_shared<ByteBuffer>();
            scene_.frame(i, *payload);
            Frame frame;
            frame.bytes = payload->bytes();
            frame.owner = payload;
            frame.index = i;
            frame.time = scene_.time(i);
            sink_->take({&frame, 1}, scene_.time(i), scene_.info());
        }
    }

private:
    Scene scene_;
    std::stop_source stop_;
    std::unique_ptr<NetworkSink> sink_;
    std::string address_;
    std::uint16_t port_ = 0;
};

}  // namespace ositrace::test
