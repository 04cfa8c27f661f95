// SPDX-License-Identifier: MPL-2.0
#include "lib/net/foxglove_protocol.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <ositrace/error.hpp>

namespace ositrace::net::foxglove {

namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(std::string_view field, const std::string& expected)
{
    throw Error(Cause::malformed, {.field = std::string(field)}, "expected " + expected);
}

// Of a request. Each of 4096 subscriptions has an object with two values.
constexpr std::size_t max_depth = 16;
constexpr std::size_t max_values = 16384;

/// Reading JSON costs time and memory for every value: this costs little. What is no JSON may pass.
void check_limits(std::string_view text)
{
    std::size_t depth = 0, values = 0;
    bool in_text = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') in_text = !in_text;
        if (in_text && c == '\\') ++at;
        if (in_text) continue;
        const bool opens = c == '[' || c == '{';
        if (opens && ++depth > max_depth)
            throw Error(Cause::limit, "the nesting of lists and objects exceeds the limit of 16 levels");
        if ((c == ']' || c == '}') && depth > 0) --depth;
        if ((opens || c == ',') && ++values > max_values)
            throw Error(Cause::limit, "the number of values exceeds the limit of 16384");
    }
}

Json parse_object(std::string_view text)
{
    auto json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) throw Error(Cause::malformed, "a message that is not JSON");
    if (!json.is_object()) throw Error(Cause::malformed, "a message that is not a JSON object");
    return json;
}

const Json& member(const Json& object, const char* name)
{
    static const Json none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
}

std::string text_of(const Json& object, const char* name)
{
    const auto& value = member(object, name);
    if (!value.is_string()) refuse(name, "a text");
    return value.get<std::string>();
}

std::string optional_text(const Json& object, const char* name)
{
    return member(object, name).is_string() ? text_of(object, name) : std::string{};
}

template <class Number>
Number number_of(const Json& value, const char* name)
{
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<Number>::max())
        refuse(name, "a number from 0 to " + std::to_string(std::numeric_limits<Number>::max()));
    return value.get<Number>();
}

const Json& array_of(const Json& object, const char* name)
{
    const auto& value = member(object, name);
    if (!value.is_array()) refuse(name, "a list");
    return value;
}

template <class Number>
std::vector<Number> numbers_of(const Json& object, const char* name)
{
    std::vector<Number> numbers;
    for (const auto& each : array_of(object, name)) numbers.push_back(number_of<Number>(each, name));
    return numbers;
}

/// Bytes that are not UTF-8 (a topic may contain them) become U+FFFD.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64_of(Bytes bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (at + i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
        for (std::size_t i = 0; i < 4; ++i)
            text.push_back(at + i <= bytes.size() ? digits[group >> (18 - 6 * i) & 63] : '=');
    }
    return text;
}

std::vector<std::byte> from_base64(std::string_view text)
{
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1) refuse("schema", "base64");
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const auto digit = digits.find(c);
        if (digit == digits.npos) refuse("schema", "base64");
        group = group << 6 | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<std::byte>(group >> bits & 0xff));
    }
    return bytes;
}

/// How the schemas of an encoding are encoded if the server does not say.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> usual_schema_encodings{{
    {"protobuf", "protobuf"},
    {"flatbuffer", "flatbuffer"},
    {"json", "jsonschema"},
    {"ros1", "ros1msg"},
    {"cdr", "ros2msg"},
}};

bool is_binary_schema(std::string_view encoding) { return encoding == "protobuf" || encoding == "flatbuffer"; }

Json json_of(const Advertisement& advertised)
{
    const auto& channel = advertised.channel;
    Json json{{"id", advertised.id},
              {"topic", channel.topic},
              {"encoding", channel.message_encoding},
              {"schemaName", ""},
              {"schema", ""}};
    if (!channel.schema) return json;
    const auto& schema = *channel.schema;
    json["schemaName"] = schema.name;
    json["schemaEncoding"] = schema.encoding;
    json["schema"] =
        is_binary_schema(schema.encoding) ? base64_of(schema.data) : std::string(ositrace::text_of(schema.data));
    return json;
}

Advertisement advertisement_of(const Json& json)
{
    if (!json.is_object()) refuse("channels", "a list of objects");
    Advertisement advertised{number_of<ChannelId>(member(json, "id"), "id"),
                             {text_of(json, "topic"), text_of(json, "encoding"), nullptr}};
    SchemaRecord schema{optional_text(json, "schemaName"), optional_text(json, "schemaEncoding"), {}};
    const auto text = optional_text(json, "schema");
    if (schema.name.empty() && text.empty()) return advertised;
    if (schema.encoding.empty()) {
        const auto usual = std::ranges::find(usual_schema_encodings, advertised.channel.message_encoding,
                                             &std::pair<std::string_view, std::string_view>::first);
        if (usual != usual_schema_encodings.end()) schema.encoding = usual->second;
    }
    if (is_binary_schema(schema.encoding)) {
        schema.data = from_base64(text);
    } else {
        const auto bytes = bytes_of(text);
        schema.data.assign(bytes.begin(), bytes.end());
    }
    if (schema.name.empty() && schema.data.empty()) return advertised;
    advertised.channel.schema = std::make_shared<const SchemaRecord>(std::move(schema));
    return advertised;
}

std::string channel_name(const Json& channel)
{
    if (!channel.is_object()) return "a channel";
    if (const auto topic = optional_text(channel, "topic"); !topic.empty()) return "channel '" + topic + "'";
    const auto& id = member(channel, "id");
    return id.is_number_unsigned() ? "channel " + dump(id) : "a channel";
}

void append_le(std::string& to, std::uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; ++i) to.push_back(static_cast<char>(number >> (8 * i) & 0xff));
}

constexpr std::uint8_t data_opcode = 1;
constexpr std::uint8_t time_opcode = 2;

}  // namespace

ClientMessage parse_client_text(std::string_view text)
{
    check_limits(text);
    const auto json = parse_object(text);
    auto op = text_of(json, "op");
    if (op == "subscribe") {
        Subscribe message;
        for (const auto& each : array_of(json, "subscriptions")) {
            if (!each.is_object()) refuse("subscriptions", "a list of objects");
            message.subscriptions.push_back({number_of<SubscriptionId>(member(each, "id"), "id"),
                                             number_of<ChannelId>(member(each, "channelId"), "channelId")});
        }
        return message;
    }
    if (op == "unsubscribe") return Unsubscribe{numbers_of<SubscriptionId>(json, "subscriptionIds")};
    return UnknownOp{std::move(op)};
}

std::string subscribe_text(std::span<const Subscription> subscriptions)
{
    auto list = Json::array();
    for (const auto& each : subscriptions) list.push_back({{"id", each.id}, {"channelId", each.channel}});
    return dump({{"op", "subscribe"}, {"subscriptions", std::move(list)}});
}

ServerMessage parse_server_text(std::string_view text)
{
    const auto json = parse_object(text);
    auto op = text_of(json, "op");
    if (op == "serverInfo") return ServerInfo{optional_text(json, "name")};
    if (op == "unadvertise") return Unadvertise{numbers_of<ChannelId>(json, "channelIds")};
    if (op == "status") {
        const auto level = number_of<std::uint8_t>(member(json, "level"), "level");
        const auto& dropped = member(json, "dropped");
        return Status{static_cast<Level>(std::min<std::uint8_t>(level, 2)), text_of(json, "message"),
                      dropped.is_null() ? 0 : number_of<std::uint32_t>(dropped, "dropped")};
    }
    if (op != "advertise") return UnknownOp{std::move(op)};
    Advertise message;
    for (const auto& each : array_of(json, "channels")) try {
            message.channels.push_back(advertisement_of(each));
        } catch (const Error& error) {
            message.refused.push_back(channel_name(each) + " is left out: " + error.what());
        }
    return message;
}

std::string server_info_text(std::string_view name, std::string_view session)
{
    return dump({{"op", "serverInfo"},
                 {"name", name},
                 {"capabilities", Json::array({"time"})},
                 {"supportedEncodings", Json::array()},
                 {"metadata", Json::object()},
                 {"sessionId", session}});
}

std::string advertise_text(std::span<const Advertisement> channels)
{
    auto list = Json::array();
    for (const auto& each : channels) list.push_back(json_of(each));
    return dump({{"op", "advertise"}, {"channels", std::move(list)}});
}

std::string status_text(Level level, std::string_view message, std::string_view id,
                        std::optional<std::uint64_t> dropped)
{
    Json json{{"op", "status"}, {"level", static_cast<int>(level)}, {"message", message}, {"id", id}};
    if (dropped) json["dropped"] = *dropped;
    return dump(json);
}

std::string remove_status_text(std::string_view id) { return dump({{"op", "removeStatus"}, {"statusIds", {id}}}); }

std::string data_head(SubscriptionId subscription, std::uint64_t time)
{
    std::string head;
    append_le(head, data_opcode, 1);
    append_le(head, subscription, 4);
    append_le(head, time, 8);
    return head;
}

std::string time_message(std::uint64_t time)
{
    std::string message;
    append_le(message, time_opcode, 1);
    append_le(message, time, 8);
    return message;
}

ServerBinary parse_server_binary(Bytes message)
{
    if (message.empty()) throw Error(Cause::truncated, "an empty binary message, expected an opcode");
    const auto opcode = std::to_integer<std::uint8_t>(message[0]);
    const auto require = [&](std::size_t bytes) {
        if (message.size() < bytes)
            throw Error(Cause::truncated, "a message of opcode " + std::to_string(opcode) + " has " +
                                              std::to_string(message.size()) + " bytes, expected at least " +
                                              std::to_string(bytes));
    };
    if (opcode == data_opcode) {
        require(data_head_bytes);
        return MessageData{load_le32(message.data() + 1), load_le64(message.data() + 5),
                           message.subspan(data_head_bytes)};
    }
    if (opcode == time_opcode) {
        require(9);
        return Time{load_le64(message.data() + 1)};
    }
    return UnknownOpcode{opcode};
}

}  // namespace ositrace::net::foxglove
