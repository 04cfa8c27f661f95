// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/map_message.hpp"

#include <array>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace_map.hpp>

#include "formats/protobuf/wire.hpp"
#include "lib/trace/osi_metadata.hpp"

namespace ositrace {

namespace {

constexpr auto package = map_message_type.substr(0, map_message_type.find('.'));
constexpr auto type = map_message_type.substr(package.size() + 1);
constexpr std::uint32_t reference_number = 1, xml_number = 2;

void add_varint(std::string& to, std::uint64_t value)
{
    std::array<std::byte, wire::max_varint_bytes> bytes{};
    const auto* const end = wire::write_varint(bytes.data(), value);
    to += text_of({bytes.data(), end});
}

void add_number(std::string& to, std::uint32_t field, std::uint64_t value)
{
    add_varint(to, wire::make_tag(field, wire::varint));
    add_varint(to, value);
}

void add_text(std::string& to, std::uint32_t field, std::string_view value)
{
    add_varint(to, wire::make_tag(field, wire::length_delimited));
    add_varint(to, value.size());
    to += value;
}

/// A google.protobuf.FieldDescriptorProto of an optional string.
std::string text_field(std::string_view name, std::uint32_t number)
{
    constexpr std::uint64_t optional = 1;
    std::string field;
    add_text(field, 1, name);
    add_number(field, 3, number);
    add_number(field, 4, optional);
    add_number(field, 5, static_cast<std::uint64_t>(FieldKind::string));
    return field;
}

/// A google.protobuf.FileDescriptorSet of one file with one message.
std::shared_ptr<const SchemaRecord> schema_record()
{
    std::string message, file, set;
    add_text(message, 1, type);
    add_text(message, 2, text_field("map_reference", reference_number));
    add_text(message, 2, text_field("open_drive_xml_content", xml_number));
    add_text(file, 1, "osi_mapasamopendrive.proto");
    add_text(file, 2, package);
    add_text(file, 4, message);
    add_text(set, 1, file);
    const auto bytes = bytes_of(set);
    return std::make_shared<const SchemaRecord>(
        SchemaRecord{std::string(map_message_type), "protobuf", {bytes.begin(), bytes.end()}});
}

}  // namespace

bool is_map_channel(const Channel& channel) noexcept
{
    const std::string_view name = channel.type_name;
    return name.empty() ? channel.topic == map_topic : name.substr(name.rfind('.') + 1) == type;
}

Channel map_channel()
{
    StatedChannel stated{std::string(map_topic), "protobuf", schema_record()};
    if (const auto version = Schema::built_in()->osi_version())
        stated.metadata.emplace(osi_metadata::channel_osi_version_key, version->to_string());
    stated.metadata.emplace(osi_metadata::channel_protobuf_version_key, osi_metadata::canonical_protobuf_version);
    return ChannelReader().read(std::move(stated));
}

MapMessage read_map_message(Bytes payload)
{
    MapMessage message;
    const auto* at = payload.data();
    const auto* const end = at + payload.size();
    while (at != nullptr && at < end) {
        std::uint32_t tag = 0;
        at = wire::read_tag(at, end, tag);
        if (at == nullptr) break;
        const auto number = wire::number_of(tag);
        if (wire::wire_type_of(tag) != wire::length_delimited || (number != reference_number && number != xml_number)) {
            at = wire::skip_field(at, end, tag, max_message_depth);
            continue;
        }
        std::size_t length = 0;
        at = wire::read_length(at, end, length);
        if (at == nullptr) break;
        (number == xml_number ? message.xml : message.reference) = text_of({at, length});
        at += length;
    }
    if (at == nullptr) throw Error(Cause::malformed, "the message with the map is damaged");
    return message;
}

std::shared_ptr<const ByteBuffer> map_message(std::string_view reference, std::string_view xml)
{
    std::string text;
    add_text(text, reference_number, reference);
    add_text(text, xml_number, xml);
    auto message = std::make_shared<ByteBuffer>();
    message->append(bytes_of(text));
    return message;
}

}  // namespace ositrace
