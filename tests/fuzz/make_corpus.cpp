// SPDX-License-Identifier: MPL-2.0
// Writes the committed corpus: a few small inputs for each target, from the sample scene and by hand.
// usage: make_corpus FOLDER (tests/fuzz/corpus)
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <lzma.h>
#include <zlib.h>

#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/io/compressor.hpp"
#include "tests/formats/descriptors.hpp"
#include "tests/formats/every_kind.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/fuzz/roots.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

std::filesystem::path folder;

void put(const std::string& target, const std::string& name, std::string_view bytes)
{
    std::filesystem::create_directories(folder / target);
    std::ofstream(folder / target / name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string choices(std::initializer_list<int> values)
{
    std::string bytes;
    for (const auto value : values) bytes += static_cast<char>(value);
    return bytes;
}

// ---------------------------------------------------------------- payloads

Message leaf(int i) { return Message().real(1, i).real(2, i + 0.5).real(3, -i); }

std::string every_kind_message()
{
    Message message;
    for (std::uint32_t i = 0; i != 3; ++i) message.message(31, leaf(static_cast<int>(i)));
    message.message(31, leaf(4).text(4, "leaf").varint(5, 7));
    for (std::uint32_t i = 0; i != 3; ++i) message.text(29, i == 1 ? "" : "text").text(32, "bytes").varint(28, i);
    message.real(1, 1.5)
        .fixed32(2, 0x3f80'0000)
        .varint(3, ~std::uint64_t{0})
        .varint(4, 1)
        .varint(5, ~std::uint64_t{4})
        .fixed64(6, 1)
        .fixed32(7, 2);
    message.varint(8, 1)
        .text(9, "string")
        .varint(10, 1)
        .message(11, leaf(9))
        .text(12, "bytes")
        .varint(13, 300)
        .varint(14, 2);
    message.fixed32(15, 1).fixed64(16, 2).varint(17, 3).varint(18, 4);
    Message element;
    element.varint(5, 1).text(9, "name").message(11, leaf(1)).message(19, Message().varint(13, 1));
    for (int i = 0; i != 4; ++i) message.message(39, element);
    return message.text(43, "\x01\x82\x03\x04")
        .text(41, std::string(16, 'd'))
        .text(48, std::string("\x01\0\x01", 3))
        .str();
}

std::string scene_message(MessageType type)
{
    ByteBuffer payload;
    Scene({.type = type,
           .frames = 1,
           .moving_objects = 2,
           .reflections = 6,
           .reflection_fields = 5,
           .carry_input = false,
           .static_data = StaticData::never})
        .frame(0, payload);
    return std::string(text_of(payload.bytes()));
}

std::string as_flat(const MessageTable& root, std::string_view message, Layout layout)
{
    ByteBuffer out;
    Transcoder(root, {}, {Encoding::flatbuffers, layout}).transcode(bytes_of(message), out);
    return std::string(text_of(out.bytes()));
}

void put_payload(const std::string& name, int root, const std::string& message)
{
    const auto& table = *fuzzing::roots()[static_cast<std::size_t>(root)];
    const auto flat = as_flat(table, message, Layout::numbered);
    put("to_flat", name, message + choices({0, 0, root}));
    put("to_protobuf", name, flat + choices({0, 0, root}));
    for (const auto* const target : {"view", "message_text"}) {
        put(target, name, message + choices({0, 0, root}));
        put(target, name + "_flat", flat + choices({1, 0, root}));
    }
    if (root == 0 || root > 10) return;
    put("recognize", name, message + choices({0, 3, 29}));
    if (root == 3) put("recognize", name + "_flat", flat + choices({0, 3, 29}));
}

void put_payloads()
{
    constexpr int lidar = 11;
    Message reflections;
    for (int i = 0; i != 12; ++i) reflections.message(2, Message().real(1, i).real(2, 0.1 * i));
    put_payload("every_kind", 0, every_kind_message());
    put_payload("merged", 0, Message().message(19, Message().varint(5, 1)).message(19, Message().varint(13, 2)).str());
    put_payload("sensor_view", 1, scene_message(MessageType::sensor_view));
    put_payload("ground_truth", 3, scene_message(MessageType::ground_truth));
    put_payload("reflections", lidar, reflections.str());
    const auto declared = as_flat(by_hand::every_kind(), every_kind_message(), Layout::declared);
    put("to_protobuf", "every_kind_declared", declared + choices({0, 1, 0}));
}

// ---------------------------------------------------------------- schemas, files, texts

void put_schemas()
{
    using namespace by_hand;
    put("schema", "every_kind", every_kind_descriptors());
    auto outer = message_type("Outer", field("inner", 1, FieldKind::message, ".test.Outer.Inner"),
                              field("e", 2, FieldKind::enumeration, ".test.Outer.E"));
    outer.message(3, message_type("Inner", field("x", 1, FieldKind::double_), field("far", 4000, FieldKind::bytes)));
    outer.message(4, enum_type("E", enum_value("A", 0), enum_value("B", 1), enum_value("B2", 1)));
    put("schema", "nested", descriptor_set(outer));
    auto proto3 = file("three.proto", "three");
    proto3.message(4, message_type("M", repeated_field("x", 1, FieldKind::sint32))).text(12, "proto3");
    proto3.message(8, Message().message(81000, Message().varint(1, 3).varint(2, 8)));
    put("schema", "proto3_with_version", Message().message(1, proto3).str());
    auto osi = file("osi.proto", "osi3");
    osi.message(4, message_type("SensorView", field("version", 1, FieldKind::uint32),
                                field_raw("g", 2, group_kind, ".osi3.SensorView.G")));
    put("schema", "group_in_top_level", Message().message(1, osi).str());
}

std::string frame(std::string_view payload)
{
    return Message().raw_value(static_cast<std::uint32_t>(payload.size())).raw(payload).str();
}

void put_files()
{
    const auto small = Message().message(2, Message().varint(1, 5)).message(1, Message().varint(1, 3)).str();
    std::string stream;
    for (int i = 0; i != 8; ++i) stream += frame(i == 3 ? "" : small);
    put("framing", "eight_frames", stream + choices({1, 9, 0}));
    put("framing", "truncated", stream.substr(0, stream.size() - 3) + choices({1, 9, 1}));
    put("framing", "damaged", stream.substr(0, 12) + "\xff\xff" + stream.substr(14) + choices({0, 40, 1}));
    put("framing", "tail_of_zeros", stream + std::string(20, '\0') + choices({0, 3, 1}));

    put("index_cache", "marks",
        Message()
                .raw_value(std::uint64_t{3000})
                .raw_value(std::uint64_t{0})
                .raw_value(std::uint64_t{0})
                .raw_value(std::uint64_t{1000})
                .raw_value(std::uint64_t{28'500})
                .raw_value(std::uint64_t{2000})
                .raw_value(std::uint64_t{57'000})
                .str() +
            choices({0}));
}

void put_foxglove()
{
    put("foxglove", "subscribe",
        R"({"op":"subscribe","subscriptions":[{"id":0,"channelId":3},{"id":1,"channelId":4}]})");
    put("foxglove", "unsubscribe", R"({"op":"unsubscribe","subscriptionIds":[0,1]})");
    put("foxglove", "server_info", R"({"op":"serverInfo","name":"a","capabilities":["time"]})");
    put("foxglove", "advertise",
        R"({"op":"advertise","channels":[{"id":1,"topic":"a","encoding":"protobuf","schemaName":"osi3.SensorView",)"
        R"("schema":"CgF4","schemaEncoding":"protobuf"},{"id":2,"topic":"b","encoding":"json","schemaName":"s",)"
        R"("schema":"{}"},{"id":3,"topic":"c","encoding":"flatbuffer","schemaName":"t","schema":"AAAA"}]})");
    put("foxglove", "unadvertise", R"({"op":"unadvertise","channelIds":[1]})");
    put("foxglove", "status", R"({"op":"status","level":1,"message":"slow"})");
    put("foxglove", "data", std::string("\1\1\0\0\0\1\0\0\0\0\0\0\0payload", 20));
    put("foxglove", "time", std::string("\2\1\0\0\0\0\0\0\0", 9));
}

void put_network_framing()
{
    const auto number = [](std::int32_t value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    };
    const auto message = [&](const std::string& payload) {
        return number(static_cast<std::int32_t>(payload.size())) + payload;
    };
    const auto datagram = [&](std::int32_t counter, const std::string& part) {
        const auto bytes = number(counter) + message(part);
        return static_cast<char>(bytes.size()) + bytes;
    };
    put("network_framing", "stream", message("one") + message("") + message("two") + choices({0, 3}));
    put("network_framing", "datagrams",
        datagram(1, "a") + datagram(2, "b") + datagram(-3, "c") + datagram(-1, "whole") + datagram(2, "lost") +
            choices({1, 5}));
}

class StringSink final : public ByteSink {
public:
    void write(Bytes head, Bytes body) override { text.append(text_of(head)).append(text_of(body)); }
    void flush() override {}
    std::string text;
};

std::string compressed(std::string_view compression, std::string_view text)
{
    StringSink sink;
    for (const auto& row : compressors()) {
        if (row.compression != compression) continue;
        const auto compressor = row.create(sink, {});
        compressor->write({}, bytes_of(text));
        compressor->finish();
    }
    return sink.text;
}

std::string gzipped(std::string_view text)
{
    std::string out(text.size() + 100, '\0');
    z_stream stream{};
    constexpr int gzip_window = 15 + 16;
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY);
    std::string in(text);
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string xz_compressed(std::string_view text)
{
    std::string out(text.size() + 200, '\0');
    std::size_t size = 0;
    if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                                text.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) != LZMA_OK)
        return {};
    out.resize(size);
    return out;
}

void put_compressed()
{
    std::string text;
    for (int i = 0; i != 40; ++i) text += "reflection " + std::to_string(i % 7);
    put("decompress", "zstd", compressed("zstd", text) + choices({7, 0}));
    put("decompress", "lz4", compressed("lz4", text) + choices({7, 1}));
    put("decompress", "gzip", gzipped(text) + choices({7, 2}));
    put("decompress", "xz", xz_compressed(text) + choices({7, 3}));
    put("decompress", "two_members", gzipped(text) + gzipped("end") + choices({3, 2}));
}

void put_texts()
{
    put("field_path", "nested", "global_ground_truth.moving_object[1].base.position.x");
    put("field_path", "id", "global_ground_truth.moving_object[id=42].vehicle_classification.type");
    put("field_path", "every", "lidar_sensor_view[*].reflection[*].signal_strength");
    put("field_path", "recursive", "many_itself[0].itself.many_itself[*].repeated_kind_1[2]");
    put("query", "braking", "moving_object[*].base.acceleration.x < -4 and not moving_object.type == VEHICLE");
    put("query", "functions", "all(norm(base.velocity) < 0.1) or count(moving_object) > 20 / 2");
    put("query", "texts", "has(host_vehicle_id) && (country_code = 1 || map_reference ~ 'a\\'b')");
    put("query", "recursive", "many_itself[0].itself.many_itself[*].repeated_kind_1[2] != nan");
    put("text_boundary", "text_format",
        "version { }\ntimestamp { seconds: 1 }\n# message begins\nlane < > map_reference: \"a\" 'b' [x.y]: 1" +
            choices({3, 0}));
    put("text_boundary", "json_array", "[{\"a\":\"\\\"\"},{}]{}" + choices({3, 1}));
    put("trace_name", "standard", "20210818T150542Z_sv_370_32112_3600_highway.osi");
    put("trace_name", "custom", "20210818T150542Z_gt_3100_2112_12_my_sv_run.osi.zst");
    put("trace_name", "multi", "20210818T150542Z_multi_370_2112_9.mcap");
}

/// CRCs of 0 are not checked: a mutation need not guess them.
void put_mcaps()
{
    using namespace mcap_bytes;
    const auto declared =
        schema(1, "osi3.GroundTruth", "protobuf", "") + channel(1, 1, "gt", "protobuf") + channel(2, 0, "b");
    const auto one = message(2, 1, "one");
    const auto two = message(1, 2, "two");
    const auto packed = [](const char* name, const std::string& records) {
        return chunk(compressed(name, records), name, records.size(), 0);
    };
    const auto last = choices({8, 0, 1});
    put("mcap", "no_chunks", file(declared + one + two) + last);
    put("mcap", "chunk", file(chunk(declared + two + one, "", declared.size() + two.size() + one.size(), 0)) + last);
    put("mcap", "lz4", file(declared + packed("lz4", two + one)) + last);
    put("mcap", "zstd", file(packed("zstd", declared + two) + one) + last);
    put("mcap", "metadata", file(metadata("m", "key", "value") + attachment("a", "abc") + declared + one) + last);
    const auto records = front() + declared + chunk(one, "", one.size(), 0);
    const auto index = record(mcap::Opcode::message_index, u16(2) + text(u64(1) + u64(0)));
    const auto data = records + index + record(mcap::Opcode::data_end, u32(0));
    const auto place = front().size() + declared.size();
    const auto chunk_index =
        record(mcap::Opcode::chunk_index, u64(1) + u64(1) + u64(place) + u64(records.size() - place) +
                                              text(u16(2) + u64(records.size())) + u64(index.size()) + text("") +
                                              u64(one.size()) + u64(one.size()));
    const auto statistics = record(mcap::Opcode::statistics, u64(1) + u16(1) + u32(2) + u32(0) + u32(0) + u32(1) +
                                                                 u64(1) + u64(1) + text(u16(2) + u64(1)));
    put("mcap", "indexed",
        data + declared + statistics + chunk_index + record(mcap::Opcode::footer, u64(data.size()) + u64(0) + u32(0)) +
            std::string(mcap::magic) + last);
}

}  // namespace

int main(int count, char** arguments)
try {
    if (count != 2) throw std::runtime_error("usage: make_corpus FOLDER");
    folder = arguments[1];
    put_payloads();
    put_schemas();
    put_files();
    put_compressed();
    put_texts();
    put_mcaps();
    put_foxglove();
    put_network_framing();
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
