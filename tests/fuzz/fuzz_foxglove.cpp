// SPDX-License-Identifier: MPL-2.0
// Messages of the Foxglove protocol: whatever a peer sends is read or refused, and what is read of an advertisement is
// the same after it was advertised again. Input: the message.
#include "lib/net/foxglove_protocol.hpp"
#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;
using namespace ositrace::net;

namespace {

std::string described(const foxglove::Advertise& message)
{
    std::string text;
    for (const auto& [id, channel] : message.channels) {
        text += std::to_string(id) + '\n' + channel.topic + '\n' + channel.message_encoding + '\n';
        if (!channel.schema) continue;
        text += channel.schema->name + '\n' + channel.schema->encoding + '\n';
        text += text_of(channel.schema->data);
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Bytes message(reinterpret_cast<const std::byte*>(data), size);
    attempt([&] { return std::to_string(foxglove::parse_client_text(text_of(message)).index()); });
    attempt([&] { return std::to_string(foxglove::parse_server_binary(message).index()); });
    attempt([&] {
        const auto parsed = foxglove::parse_server_text(text_of(message));
        const auto* advertised = std::get_if<foxglove::Advertise>(&parsed);
        if (!advertised) return std::string();
        const auto again = foxglove::parse_server_text(foxglove::advertise_text(advertised->channels));
        check(described(std::get<foxglove::Advertise>(again)) == described(*advertised), "advertised again");
        ChannelReader reader;
        for (const auto& each : advertised->channels) static_cast<void>(reader.read(each.channel));
        return std::string();
    });
    return 0;
}
