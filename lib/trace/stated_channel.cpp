// SPDX-License-Identifier: MPL-2.0
#include <ositrace/stated_channel.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/schema_text.hpp>

#include "formats/descriptors/descriptor_files.hpp"
#include "formats/flatbuffers/table.hpp"
#include "formats/recognize/identifier.hpp"
#include "lib/trace/time_notes.hpp"

namespace ositrace {

namespace {

constexpr std::string_view protobuf = "protobuf";
constexpr std::string_view flatbuffer = "flatbuffer";
constexpr std::string_view flat_namespace = "osi3_flat.";

/// Known channels are written in their present form, all others unchanged.
bool is_known(const Channel& channel) { return channel.root != nullptr; }

SchemaRecord made_for(const Channel& channel)
{
    SchemaRecord record{channel.type_name, std::string(protobuf), {}};
    if (channel.format.encoding == Encoding::protobuf) {
        record.data = with_imports(channel.schema->descriptor_set(), channel.root->file);
        return record;
    }
    record.encoding = row_of(Encoding::flatbuffers).mcap_name;
    record.name = flat_namespace;
    record.name += row_of(*channel.type).name;
    record.data = flatbuffers_binary_schema(*channel.schema, {.layout = channel.format.layout, .type = channel.type});
    return record;
}

std::string text_after_dots(std::string_view name) { return std::string(name.substr(name.rfind('.') + 1)); }

/// What a binary schema (reflection.fbs, table Schema) states about its root: the identifier of the buffers.
std::optional<Recognition> claimed_by_schema(Bytes bfbs)
{
    constexpr std::uint32_t file_ident_slot = 2;
    const flat::Buffer buffer(bfbs);
    const auto root = flat::root_of(buffer);
    const auto offset = flat::vtable_of(buffer, root).offset(buffer, file_ident_slot);
    if (offset == 0) return std::nullopt;
    buffer.check(root + offset, 4, "an offset leaves the buffer");
    const auto identifier = flat::vector_at(buffer, buffer.follow(root + offset), 1);
    if (identifier.count != 4) return std::nullopt;
    std::array<std::byte, identifier_end> front{};
    std::copy_n(buffer.at(identifier.first), 4, front.begin() + 4);
    return claimed_by_identifier(front);
}

/// `osi3_flat.SensorView` or another name space of the user's own.
std::optional<MessageType> type_of_table(std::string_view name)
{
    return message_type_by_full_name("osi3." + text_after_dots(name));
}

}  // namespace

std::string stated_encoding(const Channel& channel)
{
    return is_known(channel) ? std::string(row_of(channel.format.encoding).mcap_name) : channel.message_encoding;
}

std::shared_ptr<const SchemaRecord> stated_schema(const Channel& channel)
{
    if (!is_known(channel) || (channel.schema_record && channel.schema_record->encoding == stated_encoding(channel)))
        return channel.schema_record;
    return channel.type ? std::make_shared<const SchemaRecord>(made_for(channel)) : nullptr;
}

std::string why_not_osi(const Channel& channel)
{
    const auto& encoding = channel.message_encoding;
    if (!channel.unviewable.empty()) return "its schema cannot be used: " + channel.unviewable;
    if (encoding.empty()) return "no encoding of its messages is stated";
    if (!encoding_by_mcap_name(encoding)) return "its messages are " + encoding + ", not an encoding of OSI";
    if (channel.type_name.empty()) return "no type of its messages is stated";
    return channel.type_name + " is not a message of OSI";
}

bool BySchemaContent::operator()(const std::shared_ptr<const SchemaRecord>& a,
                                 const std::shared_ptr<const SchemaRecord>& b) const
{
    const auto content = [](const SchemaRecord& record) {
        return std::tuple<std::string_view, std::string_view, std::string_view>(record.name, record.encoding,
                                                                                text_of(record.data));
    };
    return a != b && content(*a) < content(*b);
}

Channel ChannelReader::read(StatedChannel stated)
{
    Channel channel;
    channel.topic = std::move(stated.topic);
    channel.message_encoding = std::move(stated.message_encoding);
    channel.metadata = std::move(stated.metadata);
    channel.schema_record = std::move(stated.schema);
    if (channel.schema_record) channel.type_name = channel.schema_record->name;
    try {
        look_inside(channel);
    } catch (const Error& error) {
        channel.unviewable = error.what();
    }
    if (channel.root == nullptr) {
        channel.schema.reset();
        channel.type.reset();
    } else if (options_.on_warning) {
        channel.time_notes = std::make_shared<TimeNotes>(options_.on_warning);
    }
    return channel;
}

void ChannelReader::look_inside(Channel& channel)
{
    if (channel.message_encoding == protobuf) look_inside_protobuf(channel);
    if (channel.message_encoding == flatbuffer) look_inside_flatbuffer(channel);
}

void ChannelReader::look_inside_protobuf(Channel& channel)
{
    if (channel.type_name.empty()) {
        if (!options_.type) return;
        channel.type_name = row_of(*options_.type).full_name;  // that is what --type is for
    }
    channel.type = message_type_by_full_name(channel.type_name);
    if (!channel.type) channel.type = message_type_by_full_name("osi3." + channel.type_name);  // without its package
    if (!channel.type) return;
    channel.type_name = row_of(*channel.type).full_name;
    channel.schema = options_.schema ? options_.schema : channel.schema_record ? schema_of(channel) : nullptr;
    if (!channel.schema) channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(*channel.type);
}

/// Null where what is stated does not describe the messages: it is forgotten then.
std::shared_ptr<const Schema> ChannelReader::schema_of(Channel& channel)
{
    const auto& record = channel.schema_record;
    if (!record->encoding.empty() && record->encoding != protobuf)
        throw Error(Cause::mismatch, "its schema is encoded as '" + record->encoding + "', its messages are protobuf");
    std::string reason;
    if (record->name != channel.type_name) {
        reason = "its name is '" + record->name + "', expected '" + channel.type_name + "'";
    } else {
        try {
            if (auto schema = compiled(record); schema->find(channel.type_name) != nullptr) return schema;
            reason = "it does not define " + channel.type_name;
        } catch (const Error& error) {
            reason = error.reason();
        }
    }
    if (options_.on_warning)
        options_.on_warning(Error(Cause::malformed, "the schema of the channel '" + channel.topic +
                                                        "' cannot be used (" + reason +
                                                        "): its messages are read with that of this program"));
    channel.replaced_schema = reason;
    channel.schema_record.reset();
    return nullptr;
}

void ChannelReader::look_inside_flatbuffer(Channel& channel) const
{
    channel.format = {Encoding::flatbuffers, options_.layout.value_or(Layout::numbered)};
    const auto claimed = channel.schema_record ? claimed_by_schema(channel.schema_record->data) : std::nullopt;
    channel.type = claimed                 ? std::optional(claimed->type)
                   : channel.schema_record ? type_of_table(channel.type_name)
                                           : options_.type;
    if (!channel.type) return;
    if (claimed && !options_.layout) channel.format = claimed->format;
    channel.type_name = row_of(*channel.type).full_name;
    channel.schema = options_.schema ? options_.schema : Schema::built_in();
    channel.root = &channel.schema->root(*channel.type);
}

std::shared_ptr<const Schema> ChannelReader::compiled(const std::shared_ptr<const SchemaRecord>& record)
{
    const auto data = text_of(record->data);
    if (const auto found = compiled_.find(data); found != compiled_.end()) return found->second.schema;
    auto schema = Schema::compile(record->data);
    compiled_.emplace(data, Compiled{record, schema});
    return schema;
}

}  // namespace ositrace
