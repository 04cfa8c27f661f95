// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_start.hpp>

#include <optional>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "formats/protobuf/field_reader.hpp"
#include "formats/protobuf/message_writer.hpp"
#include "lib/edit/protobuf_form.hpp"
#include "lib/edit/static_part.hpp"

namespace ositrace {

namespace {

constexpr std::string_view configuration = "_configuration";

void append_static_fields(Bytes ground_truth, const MessageTable& table, ByteBuffer& out)
{
    for (wire::FieldReader reader(ground_truth); reader.next();) {
        const auto* const row = table.find(reader.number());
        if (row != nullptr && (is_static_field(table, row->name) || row->name == "timestamp"))
            out.append(reader.field());
    }
}

/// The kind of data that a field of a request asks for: the field of SensorView, as `radar_sensor_view`.
std::optional<std::string_view> data_asked_for(const FieldRow* row)
{
    if (row == nullptr || !row->name.ends_with(configuration)) return std::nullopt;
    return row->name.substr(0, row->name.size() - configuration.size());
}

bool has_field(const MessageView& view, std::string_view name)
{
    const auto* const row = view.table().find(name);
    return row != nullptr && view.has(*row);
}

/// A field of both messages, as the sensor view says it. Of two of these the last wins.
void append_field(Bytes sensor_view, const FieldRow* from, const MessageTable& to, ByteBuffer& out)
{
    if (from == nullptr) return;
    const FieldTag tag(to, from->name);
    for (wire::FieldReader reader(sensor_view); reader.next();) {
        if (reader.number() != from->number || reader.wire_type() != wire::length_delimited) continue;
        MessageWriter(out).bytes(tag, reader.bytes());
    }
}

void append_cycle_time(Nanoseconds step, const MessageTable& to, ByteBuffer& out)
{
    const FieldTag cycle(to, "update_cycle_time");
    const FieldTag seconds(*cycle.row().child, "seconds");
    const FieldTag nanos(*cycle.row().child, "nanos");
    MessageWriter writer(out);
    writer.message(cycle, [&] {
        writer.integer(seconds, step.count() / 1'000'000'000);
        writer.integer(nanos, step.count() % 1'000'000'000);
    });
}

}  // namespace

bool static_ground_truth(Bytes payload, const Channel& channel, ByteBuffer& out)
{
    out.clear();
    if (channel.root == nullptr || payload.empty()) return false;
    ProtobufForm form(channel);
    const auto message = form.of(payload);
    if (channel.root->full_name.ends_with(".GroundTruth")) {
        append_static_fields(message, *channel.root, out);
        return true;
    }
    const auto* const row = channel.root->find("global_ground_truth");
    if (row == nullptr || row->child == nullptr) return false;
    bool found = false;
    for (wire::FieldReader reader(message); reader.next();) {
        if (reader.number() != row->number || reader.wire_type() != wire::length_delimited) continue;
        append_static_fields(reader.bytes(), *row->child, out);  // pieces of a split message merge as their fields do
        found = true;
    }
    return found;
}

std::vector<std::string> answer_configuration(Bytes request, Bytes sensor_view, const Channel& channel,
                                              Nanoseconds step, ByteBuffer& out)
{
    const auto& table = Schema::built_in()->root(MessageType::sensor_view_configuration);
    ProtobufForm form(channel);
    const auto message = form.of(sensor_view);
    const MessageView view(message, *channel.root, {});
    std::vector<std::string> left_out;
    out.clear();
    for (wire::FieldReader reader(request); reader.next();) {
        const auto* const row = table.find(reader.number());
        const auto data = data_asked_for(row);
        if (data && !has_field(view, *data))
            left_out.emplace_back(row->name);
        else if (row == nullptr || row->name != "update_cycle_time")
            out.append(reader.field());
    }
    append_field(message, channel.root->find("sensor_id"), table, out);
    append_field(message, channel.root->find("mounting_position"), table, out);
    append_cycle_time(step, table, out);
    return left_out;
}

}  // namespace ositrace
