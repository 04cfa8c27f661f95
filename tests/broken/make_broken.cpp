// SPDX-License-Identifier: MPL-2.0
// Writes the broken inputs of tests/broken, each named by its break. The exact errors stand beside them.
// usage: make_broken FOLDER (tests/broken)
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/formats/descriptors.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

std::filesystem::path folder;

void put(const std::string& name, std::string_view bytes)
{
    std::ofstream(folder / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string frame(std::string_view payload)
{
    return Message().raw_value(static_cast<std::uint32_t>(payload.size())).raw(payload).str();
}

Message head(std::uint64_t seconds)
{
    const auto version = Message().varint(1, 3).varint(2, 8).varint(3, 0);
    return Message().message(1, version).message(2, Message().varint(1, seconds).varint(2, 0));
}

/// With one moving object (field 5 of the GroundTruth in field 7).
Message sensor_view(std::uint64_t seconds, const Message& object)
{
    return head(seconds).message(3, Message().varint(1, 7)).message(7, head(seconds).message(5, object));
}

Message good_object() { return Message().message(1, Message().varint(1, 42)).text(7, "model"); }
std::string good_frame(std::uint64_t seconds) { return frame(sensor_view(seconds, good_object()).str()); }

// ---------------------------------------------------------------- files

void put_framing()
{
    const auto good = good_frame(0) + good_frame(1);
    put("truncated_in_payload.osi", good.substr(0, good.size() - 5));
    put("truncated_in_prefix.osi", good + "\x09");
    put("tail_of_zeros.osi", good + std::string(512, '\0'));
    put("length_over_limit.osi", good + Message().raw_value(std::uint32_t{0x8000'0001}).raw("rest").str());
    put("text.osi", "2021-08-18 15:05:42 this is a log file, not a trace\n");
    put("half_a_prefix.osi", "\x09");
}

// ---------------------------------------------------------------- Protobuf: a good frame, then one with a broken
// object

void put_object(const std::string& name, const Message& object)
{
    put(name, good_frame(0) + frame(sensor_view(1, object).str()));
}

void put_wire()
{
    put_object("field_number_0.osi", Message().tag(0, 0).raw_varint(1));
    put_object("tag_of_six_bytes.osi", Message().raw(std::string("\x88\x80\x80\x80\x80\0", 6)));
    put_object("varint_of_eleven_bytes.osi",
               Message().message(1, Message().tag(1, 0).raw(std::string(10, '\xff') + "\x01")));
    put_object("varint_cut_off.osi", Message().message(1, Message().tag(1, 0).raw("\xff")));
    put_object("double_cut_off.osi",
               Message().message(2, Message().message(2, Message().real(1, 1.5).tag(2, 1).raw("123"))));
    put_object("message_longer_than_its_parent.osi", Message().tag(2, 2).raw_varint(500).raw("ab"));
    put_object("string_longer_than_its_message.osi", Message().tag(7, 2).raw_varint(9).raw("model"));
    put_object("packed_list_cut_off.osi", Message().message(9, Message().text(2, "1234567812345")));
    put_object("wire_type_7.osi", Message().tag(1, 7));
    put_object("end_of_a_group_that_did_not_start.osi", Message().tag(999, 4));
    put_object("group_without_end.osi", Message().tag(999, 3).varint(1, 1));
    put_object("unknown_field_cut_off.osi", Message().tag(999, 2).raw_varint(9).raw("abc"));
    put_object("piece_of_a_split_message_cut_off.osi", Message().text(1, "\x08").text(1, "\x01"));
    Message groups;
    for (int i = 0; i != 101; ++i) groups.tag(999, 3);
    for (int i = 0; i != 101; ++i) groups.tag(999, 4);
    put_object("groups_101_deep.osi", groups);
}

// ---------------------------------------------------------------- FlatBuffers: a good frame, then one with a broken
// place

class Flat {
public:
    explicit Flat(MessageType type = MessageType::sensor_view, Layout layout = Layout::numbered)
    {
        ByteBuffer out;
        Transcoder(Schema::built_in()->root(type), {}, {Encoding::flatbuffers, layout})
            .transcode(sensor_view(1, good_object()).bytes(), out);
        bytes_ = text_of(out.bytes());
    }
    std::uint32_t load(std::size_t at) const
    {
        return load_le32(reinterpret_cast<const std::byte*>(bytes_.data()) + at);
    }
    Flat& set(std::size_t at, std::uint32_t value) { return replace(at, Message().raw_value(value).str()); }
    Flat& set16(std::size_t at, std::uint16_t value) { return replace(at, Message().raw_value(value).str()); }
    Flat& replace(std::size_t at, std::string_view value)
    {
        bytes_.replace(at, value.size(), value);
        return *this;
    }

    std::size_t follow(std::size_t place) const { return place + load(place); }
    std::size_t vtable(std::size_t table) const { return table - load(table); }
    /// Where a field's value or offset stands.
    std::size_t place(std::size_t table, std::uint32_t number) const
    {
        return table + (load(vtable(table) + 2 + 2 * number) & 0xffff);
    }
    std::size_t root() const { return follow(0); }
    std::size_t truth() const { return follow(place(root(), 7)); }
    std::size_t objects() const { return follow(place(truth(), 5)); }
    std::size_t object() const { return follow(objects() + 4); }
    std::size_t model() const { return follow(place(object(), 7)); }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

void put_flat(const std::string& name, std::string_view payload) { put(name, frame(Flat().bytes()) + frame(payload)); }

void put_flat()
{
    constexpr std::uint32_t far = 0x7000'0000;
    const Flat good;
    put_flat("flat_too_short.osifb", good.bytes().substr(0, 7));
    put_flat("flat_root_outside.osifb", Flat().set(0, far).bytes());
    put_flat("flat_root_offset_0.osifb", Flat().set(0, 0).bytes());
    put_flat("flat_vtable_outside.osifb", Flat().set(good.object(), far).bytes());
    put_flat("flat_vtable_of_odd_length.osifb", Flat().set16(good.vtable(good.object()), 5).bytes());
    put_flat("flat_vtable_longer_than_the_buffer.osifb", Flat().set16(good.vtable(good.object()), 0xfffe).bytes());
    put_flat("flat_table_longer_than_the_buffer.osifb", Flat().set16(good.vtable(good.object()) + 2, 0xffff).bytes());
    put_flat("flat_table_of_2_bytes.osifb", Flat().set16(good.vtable(good.object()) + 2, 2).bytes());
    put_flat("flat_value_outside.osifb", Flat().set16(good.vtable(good.truth()) + 2 + 2 * 5, 0xfff0).bytes());
    put_flat("flat_offset_outside.osifb", Flat().set(good.place(good.root(), 7), far).bytes());
    put_flat("flat_offset_0.osifb", Flat().set(good.place(good.truth(), 5), 0).bytes());
    put_flat("flat_element_outside.osifb", Flat().set(good.objects() + 4, far).bytes());
    put_flat("flat_vector_outside.osifb", Flat().set(good.objects(), far).bytes());
    put_flat("flat_string_outside.osifb", Flat().set(good.model(), 1000).bytes());
    put_flat("flat_string_without_terminator.osifb", Flat().replace(good.model() + 4 + 5, "!").bytes());
    put_flat("flat_of_another_type.osifb", Flat(MessageType::ground_truth).bytes());
    put_flat("flat_of_another_layout.osifb", Flat(MessageType::sensor_view, Layout::declared).bytes());
    put_flat("protobuf_among_flatbuffers.osifb", sensor_view(1, good_object()).str());
}

// ---------------------------------------------------------------- descriptor sets

void put_set(const std::string& name, const Message& type)
{
    put(name, Message().message(1, by_hand::file("osi.proto", "osi3").message(4, type)).str());
}

void put_schemas()
{
    using namespace by_hand;
    const auto x = field("x", 1, FieldKind::double_);
    const auto good = message_type("SensorView", x);
    const auto whole = descriptor_set(good);
    put("picture.desc", "\x89PNG\r\n\x1a\n not a descriptor set");
    put("empty.desc", "");
    put("truncated.desc", whole.substr(0, whole.size() - 3));
    put("declares_nothing.desc", Message().message(1, file("osi.proto", "osi3")).str());
    put("message_declared_twice.desc",
        Message().message(1, file("osi.proto", "osi3").message(4, good).message(4, good)).str());
    put_set("field_declared_twice.desc", message_type("SensorView", x, field("x", 2, FieldKind::double_)));
    put_set("number_used_twice.desc", message_type("SensorView", x, field("y", 1, FieldKind::double_)));
    put_set("number_0.desc", message_type("SensorView", field("x", 0, FieldKind::double_)));
    put_set("number_40000.desc", message_type("SensorView", field("x", 40'000, FieldKind::double_)));
    put_set("number_beyond_protobuf.desc", message_type("SensorView", field("x", 0x2000'0000, FieldKind::double_)));
    put_set("type_25.desc", message_type("SensorView", field_raw("x", 1, 25)));
    put_set("type_not_declared.desc", message_type("SensorView", field("x", 1, FieldKind::message, ".osi3.Missing")));
    put_set("type_not_resolved.desc", message_type("SensorView", field("x", 1, FieldKind::message, "SensorView")));
    put_set("oneof.desc", message_type("SensorView", Message(x).varint(9, 0)));
    put_set("group.desc", message_type("SensorView", field_raw("x", 1, group_kind, ".osi3.SensorView.X")));
    put_set("no_field_name.desc", message_type("SensorView", field("", 1, FieldKind::double_)));
    put_set("no_identifier.desc", message_type("Sensor View", x));
    put_set("enum_without_values.desc", Message(good).message(4, enum_type("Type")));
    put("edition_2023.desc",
        Message().message(1, file("osi.proto", "osi3").message(4, good).text(12, "editions")).str());
}

// ---------------------------------------------------------------- MCAP: a good message, then what the name says

void put_mcap(const std::string& name, const std::string& records)
{
    using namespace mcap_bytes;
    put(name, file(channel(1, 0, "a") + message(1, 1, "one") + records));
}

void put_chunk(const std::string& name, const std::string& records) { put_mcap(name, mcap_bytes::chunk(records)); }

void put_mcap()
{
    using namespace mcap_bytes;
    using mcap::Opcode;
    const auto two = message(1, 2, "two");
    const std::string lz4_frame("\x04\x22\x4d\x18\x60\x40\x82\x05\0\0\0\x7fxxxx", 16);
    const std::string zstd_frame("\x28\xb5\x2f\xfd\x20\x05\x29\0\0xx", 11);
    const auto good = file(channel(1, 0, "a") + message(1, 1, "one") + chunk(two));

    put("mcap_magic_only.mcap", std::string(mcap::magic));
    put("mcap_version_1.mcap", "\x89MCAP1\r\n" + good.substr(8));
    put("mcap_without_header.mcap", std::string(mcap::magic) + two);
    put("mcap_header_cut_off.mcap", good.substr(0, 20));
    put("mcap_chunk_cut_off.mcap", good.substr(0, good.size() - back().size() - 5));
    put("mcap_without_data_end.mcap", good.substr(0, good.size() - back().size()));
    put("mcap_summary_cut_off.mcap", good.substr(0, good.size() - 20));
    put_mcap("mcap_record_longer_than_the_file.mcap", std::string(1, '\x05') + u64(1u << 20));
    put_mcap("mcap_record_of_2_to_the_64_bytes.mcap", std::string(1, '\x06') + u64(~std::uint64_t{0}));
    put_mcap("mcap_message_of_no_channel.mcap", message(7, 2, "two"));
    put_mcap("mcap_message_too_short.mcap", record(Opcode::message, u16(1) + u32(0)));
    put_mcap("mcap_message_before_time_began.mcap", message(1, ~std::uint64_t{0}, "two"));
    put_mcap("mcap_channel_of_no_schema.mcap", channel(2, 9, "b"));
    put_mcap("mcap_channel_declared_otherwise.mcap", channel(1, 0, "b"));
    put_mcap("mcap_channel_metadata_cut_off.mcap",
             record(Opcode::channel, u16(2) + u16(0) + text("b") + text("json") + u32(9) + text("key")));
    put_mcap("mcap_schema_0.mcap", schema(0, "x", "protobuf", ""));
    put_mcap("mcap_schema_declared_otherwise.mcap", schema(1, "x", "protobuf", "") + schema(1, "y", "protobuf", ""));
    put_mcap("mcap_schema_longer_than_its_record.mcap",
             record(Opcode::schema, u16(1) + text("x") + text("protobuf") + u32(1000) + "abc"));
    put_mcap("mcap_metadata_longer_than_its_record.mcap",
             record(Opcode::metadata, text("m") + text(text("key") + u32(1000))));
    put_mcap("mcap_attachment_longer_than_its_record.mcap",
             record(Opcode::attachment, u64(0) + u64(0) + text("a") + text("text/plain") + u64(1000) + "abc" + u32(0)));
    put_mcap("mcap_chunk_of_another_crc.mcap", chunk(two, "", two.size(), 1));
    put_mcap("mcap_chunk_of_another_size.mcap", chunk(two, "", two.size() + 1, 0));
    put_mcap("mcap_chunk_of_terabytes.mcap", chunk(two, "", std::uint64_t{1} << 40, 0));
    put_mcap("mcap_chunk_by_bz2.mcap", chunk(two, "bz2", two.size(), 0));
    put_mcap("mcap_chunk_of_no_lz4.mcap", chunk(two, "lz4", two.size(), 0));
    put_mcap("mcap_chunk_of_no_zstd.mcap", chunk(two, "zstd", two.size(), 0));
    put_mcap("mcap_chunk_of_damaged_lz4.mcap", chunk(lz4_frame, "lz4", 5, 0));
    put_mcap("mcap_chunk_of_zstd_cut_off.mcap", chunk(zstd_frame, "zstd", 5, 0));
    put_mcap("mcap_chunk_record_too_short.mcap", record(Opcode::chunk, u64(0) + u64(0)));
    put_chunk("mcap_record_longer_than_its_chunk.mcap", two + std::string(1, '\x05') + u64(1000));
    put_chunk("mcap_record_cut_off_in_its_chunk.mcap", two + "\x05");
    put_chunk("mcap_message_of_no_channel_in_a_chunk.mcap", two + message(7, 3, "three"));
}

}  // namespace

int main(int count, char** arguments)
try {
    if (count != 2) throw std::runtime_error("usage: make_broken FOLDER");
    folder = arguments[1];
    put_framing();
    put_wire();
    put_flat();
    put_schemas();
    put_mcap();
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
