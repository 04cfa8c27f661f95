// SPDX-License-Identifier: MPL-2.0
// A program of a stranger's that sends and receives.
#include <string>

#include <ositrace/network_sink.hpp>
#include <ositrace/network_source.hpp>

int main()
{
    using namespace ositrace;
    NetworkOptions options;
    options.type = MessageType::sensor_view;
    options.encoding = Encoding::protobuf;
    const auto source = open_network(parse_network_address("udp://127.0.0.1:0"), options);
    const auto sink = open_network_sink(source->address());
    TraceInfo info;
    info.channels.emplace_back();
    const std::string payload = "\x12\x02\x08\x01";
    Frame frame;
    frame.bytes = bytes_of(payload);
    sink->begin(info, {});
    sink->take({&frame, 1}, {}, info);
    sink->finish();
    Frame received;
    return source->read(received) && text_of(received.bytes) == payload ? 0 : 1;
}
