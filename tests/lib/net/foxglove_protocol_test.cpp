// SPDX-License-Identifier: MPL-2.0
#include "lib/net/foxglove_protocol.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;
using namespace ositrace::net;

namespace {

std::string error_of_client_text(std::string_view text)
{
    return error_of([&] { return foxglove::parse_client_text(text); });
}

std::shared_ptr<const SchemaRecord> schema(const std::string& encoding, const std::string& data)
{
    const auto bytes = bytes_of(data);
    return std::make_shared<const SchemaRecord>(
        SchemaRecord{"osi3.SensorView", encoding, {bytes.begin(), bytes.end()}});
}

}  // namespace

TEST_CASE("what a Foxglove client asks for is read")
{
    const auto subscribe = std::get<foxglove::Subscribe>(
        foxglove::parse_client_text(R"({"op":"subscribe","subscriptions":[{"id":0,"channelId":4294967296}]})"));
    REQUIRE(subscribe.subscriptions.size() == 1);
    CHECK(subscribe.subscriptions[0].id == 0);
    CHECK(subscribe.subscriptions[0].channel == 4294967296);
    const auto unsubscribe =
        std::get<foxglove::Unsubscribe>(foxglove::parse_client_text(R"({"op":"unsubscribe","subscriptionIds":[1,2]})"));
    CHECK(unsubscribe.subscriptions == std::vector<foxglove::SubscriptionId>{1, 2});
    CHECK(std::get<foxglove::UnknownOp>(foxglove::parse_client_text(R"({"op":"getParameters"})")).op ==
          "getParameters");
}

TEST_CASE("a status of ositrace says how many messages were dropped, that of another server does not")
{
    using namespace foxglove;
    const auto dropped_in = [](const std::string& text) { return std::get<Status>(parse_server_text(text)).dropped; };
    CHECK(dropped_in(status_text(Level::warning, "slow", "id", 42)) == 42);
    CHECK(dropped_in(status_text(Level::warning, "42 messages were dropped", "id")) == 0);
    CHECK(status_text(Level::info, "text", "id") == R"({"id":"id","level":0,"message":"text","op":"status"})");
    CHECK(error_of([] {
              return parse_server_text(R"({"op":"status","level":1,"message":"","dropped":18446744073709551615})");
          }) == "dropped: expected a number from 0 to 4294967295");
}

TEST_CASE("what is no request is refused with its field")
{
    CHECK(error_of_client_text("") == "a message that is not JSON");
    CHECK(error_of_client_text("{") == "a message that is not JSON");
    CHECK(error_of_client_text("[]") == "a message that is not a JSON object");
    CHECK(error_of_client_text("{}") == "op: expected a text");
    CHECK(error_of_client_text(R"({"op":"subscribe"})") == "subscriptions: expected a list");
    CHECK(error_of_client_text(R"({"op":"subscribe","subscriptions":[1]})") ==
          "subscriptions: expected a list of objects");
    CHECK(error_of_client_text(R"({"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]})") ==
          "id: expected a number from 0 to 4294967295");
    CHECK(error_of_client_text(R"({"op":"subscribe","subscriptions":[{"id":4294967296,"channelId":1}]})") ==
          "id: expected a number from 0 to 4294967295");
    CHECK(error_of_client_text(R"({"op":"unsubscribe","subscriptionIds":["1"]})") ==
          "subscriptionIds: expected a number from 0 to 4294967295");
    CHECK(error_of_client_text(std::string(1 << 20, '[')) ==
          "the nesting of lists and objects exceeds the limit of 16 levels");
    CHECK(error_of_client_text(std::string(16, '[')) == "a message that is not JSON");
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
    CHECK(error_of_client_text(objects) == "the nesting of lists and objects exceeds the limit of 16 levels");
    const auto numbers = [](int count) {
        std::string text = R"({"op":"unsubscribe","subscriptionIds":[0)";
        for (int i = 1; i < count; ++i) text += ",0";
        return text + "]}";
    };
    CHECK(error_of_client_text(numbers(16383)) == "the number of values exceeds the limit of 16384");
    CHECK(error_of_client_text(numbers(16382)).empty());  // with the object and the list, and beside the op
}

TEST_CASE("channels are advertised and understood again, with binary and with text schemas")
{
    const std::string all_bytes("\0\1\xff\xfe\n", 5);
    const std::vector<foxglove::Advertisement> sent{
        {1, {"/a", "protobuf", schema("protobuf", all_bytes)}},
        {2, {"/b", "json", schema("jsonschema", "{\"type\": \"object\"}")}},
        {3, {"/c", "raw", nullptr}},
    };
    auto parsed = foxglove::parse_server_text(foxglove::advertise_text(sent));
    const auto& got = std::get<foxglove::Advertise>(parsed).channels;
    REQUIRE(got.size() == 3);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(got[i].id == sent[i].id);
        CHECK(got[i].channel.topic == sent[i].channel.topic);
        CHECK(got[i].channel.message_encoding == sent[i].channel.message_encoding);
        REQUIRE(got[i].channel.schema);
        CHECK(*got[i].channel.schema == *sent[i].channel.schema);
    }
    CHECK(got[2].channel.schema == nullptr);
}

TEST_CASE("a channel that cannot be read is named, and the others are read")
{
    const auto parsed = foxglove::parse_server_text(
        R"({"op":"advertise","channels":[{"id":1,"topic":"/a","encoding":"protobuf","schemaName":"osi3.SensorView",)"
        R"("schema":"!"},{"id":2,"topic":"/b","encoding":"json"},{"id":3,"encoding":"json"},{"id":"4","topic":"/d"},)"
        R"({"id":5,"topic":"/e"},6,{}]})");
    const auto& message = std::get<foxglove::Advertise>(parsed);
    REQUIRE(message.channels.size() == 1);
    CHECK(message.channels[0].channel.topic == "/b");
    CHECK(message.refused == std::vector<std::string>{
                                 "channel '/a' is left out: schema: expected base64",
                                 "channel 3 is left out: topic: expected a text",
                                 "channel '/d' is left out: id: expected a number from 0 to 18446744073709551615",
                                 "channel '/e' is left out: encoding: expected a text",
                                 "a channel is left out: channels: expected a list of objects",
                                 "a channel is left out: id: expected a number from 0 to 18446744073709551615",
                             });
}

TEST_CASE("a schema in base64 of any length is read, and the encoding of a schema may be left out")
{
    const auto advertised = [](const std::string& base64) {
        return R"({"op":"advertise","channels":[{"id":1,"topic":"a","encoding":"protobuf","schemaName":"osi3.SensorView",)"
               R"("schema":")" +
               base64 + "\"}]}";
    };
    const auto data_of = [&](const std::string& base64) {
        const auto parsed = foxglove::parse_server_text(advertised(base64));
        const auto& record = *std::get<foxglove::Advertise>(parsed).channels.at(0).channel.schema;
        CHECK(record.encoding == "protobuf");
        return std::string(text_of(record.data));
    };
    // RFC 4648, chapter 10.
    CHECK(data_of("Zg==") == "f");
    CHECK(data_of("Zm8=") == "fo");
    CHECK(data_of("Zm9v") == "foo");
    CHECK(data_of("Zm9vYg==") == "foob");
    CHECK(data_of("Zm9vYmE=") == "fooba");
    CHECK(data_of("Zm9vYmFy") == "foobar");
    const auto parsed = foxglove::parse_server_text(advertised("Zm 9v"));
    CHECK(std::get<foxglove::Advertise>(parsed).refused ==
          std::vector<std::string>{"channel 'a' is left out: schema: expected base64"});
}

TEST_CASE("the binary messages of a server are read")
{
    const auto head = foxglove::data_head(0x01020304, 0x1112131415161718);
    CHECK(head == std::string("\x01\x04\x03\x02\x01\x18\x17\x16\x15\x14\x13\x12\x11", 13));
    const auto message = head + "payload";
    const auto data = std::get<foxglove::MessageData>(foxglove::parse_server_binary(bytes_of(message)));
    CHECK(data.subscription == 0x01020304);
    CHECK(data.time == 0x1112131415161718);
    CHECK(text_of(data.payload) == "payload");
    const auto time = foxglove::time_message(5);
    CHECK(time == std::string("\x02\x05\0\0\0\0\0\0\0", 9));
    CHECK(std::get<foxglove::Time>(foxglove::parse_server_binary(bytes_of(time))).time == 5);
    CHECK(std::get<foxglove::UnknownOpcode>(foxglove::parse_server_binary(bytes_of("\x09"))).opcode == 9);
    for (std::size_t size = 0; size < head.size(); ++size)
        CHECK_THROWS_AS(foxglove::parse_server_binary(bytes_of(head).first(size)), Error);
}
