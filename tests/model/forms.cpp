// SPDX-License-Identifier: MPL-2.0
#include "tests/model/forms.hpp"
#include "tests/catch.hpp"

#include <ositrace/byte_buffer.hpp>
#include <ositrace/equal_content.hpp>
#include <ositrace/transcoder.hpp>

#include <osi3/osi_sensordata.pb.h>

#define OSITRACE_FLAT_LAYOUT numbered_objects
#include "app/bench/dummy/flat_models.hpp"
#undef OSITRACE_FLAT_LAYOUT

namespace ositrace::test {

using namespace std::chrono_literals;

namespace {

Message copy_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

DummySensorOptions with(DummySensorOptions options, Encoding encoding)
{
    options.encoding = encoding;
    return options;
}
DummySourceOptions with(DummySourceOptions options, Encoding encoding)
{
    options.encoding = encoding;
    return options;
}

Message content_of(std::span<const Frame> frames)
{
    if (frames.empty()) return {};
    REQUIRE(frames.size() == 1);
    return copy_of(frames[0].bytes);
}

std::string difference(Bytes a, Format of_a, Bytes b, Format of_b)
{
    const auto& root = Schema::built_in()->root(MessageType::sensor_data);
    const auto found = first_difference(MessageView(a, root, of_a), MessageView(b, root, of_b));
    return found ? found->field + ": " + found->text : "";
}

/// flatc's object API has no place for a string that is set and empty.
void clear_empty_strings(google::protobuf::Message& message)
{
    const auto* const reflection = message.GetReflection();
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    reflection->ListFields(message, &fields);
    for (const auto* const field : fields) {
        if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
            if (!field->is_repeated())
                clear_empty_strings(*reflection->MutableMessage(&message, field));
            else
                for (int i = 0; i < reflection->FieldSize(message, field); ++i)
                    clear_empty_strings(*reflection->MutableRepeatedMessage(&message, field, i));
        } else if (!field->is_repeated() && field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_STRING &&
                   reflection->GetString(message, field).empty()) {
            reflection->ClearField(&message, field);
        }
    }
}

/// By flatbuffers' Verifier.
bool is_accepted([[maybe_unused]] Bytes sensor_data)
{
#ifdef OSITRACE_TEST_SANITIZED
    return true;
#else
    return bench::flat_forms(bench::FlatLayout::numbered).verified_sensor_data(sensor_data);
#endif
}

Message as_objects_hold_it(Bytes sensor_data)
{
    osi3::SensorData data;
    REQUIRE(data.ParseFromArray(sensor_data.data(), static_cast<int>(sensor_data.size())));
    for (auto& view : *data.mutable_sensor_view()) clear_empty_strings(view);
    Message bytes(data.ByteSizeLong());
    data.SerializeToArray(bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
}

}  // namespace

std::vector<NamedModel> sensors(const DummySensorOptions& options)
{
    using namespace bench;
    std::vector<NamedModel> models;
    models.push_back({"ours, Protobuf", protobuf_format, dummy_sensor(options)});
    models.push_back({"libprotobuf, fresh", protobuf_format, protobuf_sensor(options, ProtobufMemory::fresh)});
    models.push_back({"libprotobuf, reused", protobuf_format, protobuf_sensor(options, ProtobufMemory::reused)});
    models.push_back({"libprotobuf, arena", protobuf_format, protobuf_sensor(options, ProtobufMemory::arena)});
    models.push_back({"ours, FlatBuffers", flat_format, dummy_sensor(options)});
#ifndef OSITRACE_TEST_SANITIZED  // flatc's code is not built then
    const auto& flat = flat_forms(FlatLayout::numbered);
    models.push_back(
        {"builder, verified", flat_format, flat.builder_sensor(options, FlatInput::verified, FlatBuilder::reused)});
    models.push_back(
        {"builder, trusted", flat_format, flat.builder_sensor(options, FlatInput::trusted, FlatBuilder::fresh)});
    models.push_back({"object API", flat_format,
                      numbered_objects::flat_object_sensor(options, FlatInput::verified, FlatObjects::fresh)});
    models.push_back({"object API, update", flat_format,
                      numbered_objects::flat_object_sensor(options, FlatInput::verified, FlatObjects::update)});
#endif
    return models;
}

std::vector<NamedModel> sources(const DummySourceOptions& options)
{
    using namespace bench;
    std::vector<NamedModel> models;
    models.push_back({"ours, Protobuf", protobuf_format, dummy_source(with(options, Encoding::protobuf))});
    models.push_back({"libprotobuf, fresh", protobuf_format, protobuf_source(options, ProtobufMemory::fresh)});
    models.push_back({"libprotobuf, reused", protobuf_format, protobuf_source(options, ProtobufMemory::reused)});
    models.push_back({"libprotobuf, arena", protobuf_format, protobuf_source(options, ProtobufMemory::arena)});
    models.push_back({"ours, FlatBuffers", flat_format, dummy_source(with(options, Encoding::flatbuffers))});
#ifndef OSITRACE_TEST_SANITIZED
    const auto& flat = flat_forms(FlatLayout::numbered);
    models.push_back({"builder", flat_format, flat.builder_source(options, FlatBuilder::reused)});
    models.push_back({"object API", flat_format, numbered_objects::flat_object_source(options, FlatObjects::fresh)});
    models.push_back(
        {"object API, update", flat_format, numbered_objects::flat_object_source(options, FlatObjects::update)});
#endif
    return models;
}

TraceInfo info_of(MessageType type, Format format, std::shared_ptr<const Schema> schema)
{
    TraceInfo info;
    auto& channel = info.channels.emplace_back();
    channel.topic = row_of(type).name;
    channel.type = type;
    channel.type_name = row_of(type).full_name;
    channel.format = format;
    channel.schema = std::move(schema);
    channel.root = &channel.schema->root(type);
    return info;
}

Message step(SensorModel& model, Bytes input, Nanoseconds now)
{
    Frame frame;
    frame.bytes = input;
    return content_of(model.step({&frame, 1}, now, 100ms));
}

Message step(SensorModel& source, Nanoseconds now) { return content_of(source.step({}, now, 100ms)); }

Message to_flat(Bytes protobuf, MessageType type)
{
    ByteBuffer out;
    Transcoder(Schema::built_in()->root(type), protobuf_format, flat_format).transcode(protobuf, out);
    return copy_of(out.bytes());
}

std::vector<Message> require_agreement(const std::vector<Message>& frames, const DummySensorOptions& options)
{
    auto models = sensors(options);
    auto crossed_over = dummy_sensor(with(options, Encoding::flatbuffers));
    auto crossed_back = dummy_sensor(with(options, Encoding::protobuf));
    for (auto& [name, takes, model] : models) model->initialize(info_of(MessageType::sensor_view, takes), {});
    crossed_over->initialize(info_of(MessageType::sensor_view, protobuf_format), {});
    crossed_back->initialize(info_of(MessageType::sensor_view, flat_format), {});

    std::vector<Message> results;
    Nanoseconds now{};
    for (const auto& frame : frames) {
        INFO("frame " << results.size());
        now += 100ms;
        const auto flat = to_flat(frame, MessageType::sensor_view);
        const auto& ours = results.emplace_back(step(*models[0].model, frame, now));
        for (std::size_t i = 1; i != models.size(); ++i) {
            auto& [name, takes, model] = models[i];
            INFO(name);
            const auto result = step(*model, takes == flat_format ? flat : frame, now);
            if (takes == protobuf_format)
                REQUIRE(result == ours);
            else if (name.starts_with("object API"))
                REQUIRE(difference(as_objects_hold_it(ours), protobuf_format, result, flat_format) == "");
            else
                REQUIRE(difference(ours, protobuf_format, result, flat_format) == "");
            if (name == "ours, FlatBuffers") REQUIRE(is_accepted(result));
        }
        const auto over = step(*crossed_over, frame, now);
        REQUIRE(difference(ours, protobuf_format, over, flat_format) == "");
        REQUIRE(is_accepted(over));
        REQUIRE(step(*crossed_back, flat, now) == ours);
    }
    return results;
}

}  // namespace ositrace::test
