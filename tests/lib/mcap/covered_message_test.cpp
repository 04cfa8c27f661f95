// SPDX-License-Identifier: MPL-2.0
// Damage in the structure of an MCAP file where no checksum shows it: a length that covers the records after it
// (Protobuf and FlatBuffers can be read with bytes after a message), an opcode, a record that is gone, a summary.
#include <string>
#include <vector>

#include <ositrace/recover.hpp>
#include <ositrace/schema_text.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/covered_records.hpp"
#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/mcap/indexed_file.hpp"
#include "tests/lib/mcap/read_both_ways.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/scene_messages.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
namespace by_hand = mcap_bytes;
using mcap_file::behind_name, mcap_file::streamed, mcap_file::through_index;

namespace {

std::vector<std::string> view_messages(Encoding encoding)
{
    SceneOptions options;
    options.type = MessageType::sensor_view;
    options.frames = 5;
    options.moving_objects = 1;
    options.reflections = 1;
    options.static_data = StaticData::never;
    return scene_messages(options, encoding);
}

std::string channel_of_views(Encoding encoding)
{
    const auto schema = Schema::built_in();
    if (encoding == Encoding::protobuf)
        return by_hand::schema(1, "osi3.SensorView", "protobuf", std::string(text_of(schema->descriptor_set()))) +
               by_hand::channel(1, 1, "view", "protobuf");
    SchemaTextOptions text;
    text.type = MessageType::sensor_view;
    text.layout = Layout::numbered;
    const auto binary = flatbuffers_binary_schema(*schema, text);
    return by_hand::schema(1, "osi3_flat.SensorView", "flatbuffer", std::string(text_of(binary))) +
           by_hand::channel(1, 1, "view", "flatbuffer");
}

/// The messages as records, the second of which covers the third and fourth.
std::string covering_records(const std::vector<std::string>& all)
{
    std::string text;
    for (std::size_t i = 0; i != all.size(); ++i) text += by_hand::message(1, i + 1, all[i]);
    const auto one = [&](std::size_t i) { return by_hand::message(1, 0, all[i]).size(); };
    return text.replace(one(0) + 1, 8, by_hand::u64(one(1) + one(2) + one(3) - mcap::record_prefix_bytes));
}

std::vector<std::string> view_lines(const std::vector<std::string>& all, std::size_t count)
{
    std::vector<std::string> text;
    for (std::size_t i = 0; i != count; ++i) text.push_back("view@" + std::to_string(i + 1) + "#0:" + all[i]);
    return text;
}

}  // namespace

TEST_CASE("an MCAP message whose length covers those after it is an error, and is put right")
{
    const auto encoding = GENERATE(Encoding::protobuf, Encoding::flatbuffers);
    const bool in_chunk = GENERATE(false, true);
    CAPTURE(encoding == Encoding::protobuf, in_chunk);
    const auto all = view_messages(encoding);
    const auto damaged = covering_records(all);
    const auto front = channel_of_views(encoding);
    const auto data = in_chunk ? by_hand::chunk(damaged, "", damaged.size(), 0, 1, 5) : damaged;
    const ScratchFolder folder;
    const auto file = folder / "in.mcap";
    write_file(file, by_hand::file(front + data));

    const auto covered = by_hand::message(1, 0, all[2]).size() + by_hand::message(1, 0, all[3]).size();
    const auto reason = "the length of a message is wrong: its data have " + std::to_string(all[1].size() + covered) +
                        " bytes, and another record begins after " + std::to_string(all[1].size());
    for (const auto& read : {streamed(file), through_index(file)}) {
        CHECK(read.error.find(reason) != std::string::npos);
        CHECK(read.lines == view_lines(all, in_chunk ? read.lines.size() : 1));
    }

    OpenOptions options;
    options.skip_bad_frames = true;
    CHECK(streamed(file, options).lines == view_lines(all, all.size()));
    CHECK(through_index(file, options).lines == view_lines(all, all.size()));
    const auto result = recover_trace(file, folder / "out.mcap", {});
    CHECK(streamed(folder / "out.mcap").lines == view_lines(all, all.size()));
    CHECK(result.lost_bytes == 0);
    REQUIRE_FALSE(result.lost.empty());
    CHECK(std::string(result.lost.front().error.what()).find(reason) != std::string::npos);
}

TEST_CASE("a message that contains an MCAP message up to its end is one message")
{
    const auto inner = view_messages(Encoding::protobuf).front();
    const auto embedded = by_hand::message(1, 3, inner);
    std::string size;
    for (auto rest = embedded.size(); rest != 0; rest >>= 7)
        size += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    // Field 2000 of SensorView, which no schema knows: bytes.
    const auto message = inner + "\x82\x7d" + size + embedded;
    const auto knows = [](std::uint16_t id) { return id == 1; };
    REQUIRE(mcap::first_trailing_record(bytes_of(message), knows) == message.size() - embedded.size());
    const ScratchFolder folder;
    const auto file = folder / "in.mcap";
    write_file(file, by_hand::file(channel_of_views(Encoding::protobuf) + by_hand::message(1, 1, message)));
    for (const auto& read : {streamed(file), through_index(file)}) {
        CHECK(read.error.empty());
        CHECK(read.lines == std::vector<std::string>{"view@1#0:" + message});
    }
}

namespace {

/// Of the foreign channel 1 (`a`).
std::string text_message(std::uint64_t time)
{
    return by_hand::message(1, time, "{\"time\": " + std::to_string(time) + "}");
}

std::vector<std::string> text_lines(std::uint64_t count)
{
    std::vector<std::string> lines;
    for (std::uint64_t time = 1; time <= count; ++time)
        lines.push_back("a@" + std::to_string(time) + "#0:{\"time\": " + std::to_string(time) + "}");
    return lines;
}

std::string with_length(std::string record, std::uint64_t length)
{
    return record.replace(1, 8, by_hand::u64(length - mcap::record_prefix_bytes));
}

const std::string text_channel = by_hand::channel(1, 0, "a");

/// `records`, and a summary with `summary`.
std::string file_with_summary(const std::string& records, const std::string& summary)
{
    const auto data = by_hand::front() + records + by_hand::record(mcap::Opcode::data_end, by_hand::u32(0));
    return data + summary +
           by_hand::record(mcap::Opcode::footer, by_hand::u64(data.size()) + by_hand::u64(0) + by_hand::u32(0)) +
           std::string(mcap::magic);
}

/// What all ways to read a damaged file agree on.
struct Verdicts {
    std::string streamed, through_index;  ///< errors
    std::vector<std::string> saved;
    RecoverResult recovered;
    std::vector<std::string> warnings;  ///< of the stream
};

Verdicts verdicts_of(const std::string& bytes)
{
    const ScratchFolder folder;
    const auto file = folder / "in.mcap";
    write_file(file, bytes);
    Verdicts verdicts;
    OpenOptions strict;
    strict.on_warning = [&](const Error& error) { verdicts.warnings.push_back(error.reason()); };
    verdicts.streamed = behind_name(mcap_file::streamed(file, strict).error, file);
    verdicts.through_index = behind_name(mcap_file::through_index(file).error, file);
    OpenOptions options;
    options.skip_bad_frames = true;
    verdicts.saved = mcap_file::streamed(file, options).lines;
    const auto saved_by_index = mcap_file::through_index(file, options);
    CHECK(saved_by_index.error == "");
    CHECK(saved_by_index.lines == verdicts.saved);
    verdicts.recovered = recover_trace(file, folder / "out.mcap", {});
    CHECK(mcap_file::streamed(folder / "out.mcap").lines == verdicts.saved);
    return verdicts;
}

struct Covering {
    std::string name, record;
};

std::vector<Covering> covering_kinds()
{
    return {{"Schema", by_hand::schema(1, "s", "jsonschema", "{}")},
            {"Channel", by_hand::channel(2, 0, "b")},
            {"Metadata", by_hand::metadata("name", "key", "value")},
            {"Attachment", by_hand::attachment("map", "road")},
            {"MessageIndex", by_hand::record(mcap::Opcode::message_index, by_hand::u16(1) + by_hand::text(""))},
            {"Chunk", by_hand::chunk(by_hand::channel(2, 0, "b"))},
            {"Message", text_message(1)}};
}

}  // namespace

TEST_CASE("a record whose length covers those after it is damage for all, and all that it covers is saved")
{
    const std::vector<std::string> others{"", by_hand::metadata("m", "k", "v"), by_hand::attachment("b", "x"),
                                          by_hand::channel(3, 0, "c")};
    for (const auto& [name, record] : covering_kinds())
        for (std::size_t other = 0; other != others.size(); ++other)
            for (const bool in_chunk : {false, true}) {
                const auto first = name == "Message" ? std::string() : text_message(1);
                const auto covered = others[other] + text_message(2) + text_message(3);
                CAPTURE(name, other, in_chunk);
                const auto records =
                    first + with_length(record, record.size() + covered.size()) + covered + text_message(4);
                const bool fits = name == "Schema" || name == "Channel" || name == "Message";
                if (in_chunk && !(fits && (other == 0 || other == 3))) continue;
                const auto data = in_chunk ? by_hand::chunk(records, "", records.size(), 0, 1, 4) : records;
                const auto verdicts = verdicts_of(by_hand::file(text_channel + data));
                const auto problem =
                    name == "Chunk" ? "which leads to the next record" : "and another record begins after";
                CHECK(verdicts.streamed.find(problem) != std::string::npos);
                CHECK(verdicts.through_index.find(problem) != std::string::npos);
                CHECK(verdicts.saved == text_lines(4));
                CHECK_FALSE(verdicts.recovered.intact());
                CHECK(verdicts.recovered.lost_frames.count() == 0u);
            }
}

TEST_CASE("a Header whose length covers the records after it is damage for all, and these are saved")
{
    const auto records = text_channel + text_message(1) + text_message(2);
    for (const auto& covered : {records, text_channel + text_message(1), by_hand::chunk(records)}) {
        auto bytes = by_hand::file(covered == text_channel + text_message(1) ? records : covered);
        const auto length = by_hand::front().size() - mcap::magic.size() - mcap::record_prefix_bytes;
        bytes.replace(mcap::magic.size() + 1, 8, by_hand::u64(length + covered.size()));
        const auto verdicts = verdicts_of(bytes);
        const auto problem = "the length of a Header record is wrong: it has " +
                             std::to_string(length + covered.size()) + " bytes, and another record begins after " +
                             std::to_string(length);
        CHECK(verdicts.streamed.find(problem) != std::string::npos);
        CHECK(verdicts.through_index.find(problem) != std::string::npos);
        CHECK(verdicts.saved == text_lines(2));
        CHECK_FALSE(verdicts.recovered.intact());
        CHECK(verdicts.recovered.lost_frames.count() == 0u);
    }
    // Bytes that are no records are those of a later version.
    auto bytes = by_hand::file(std::string(20, '\x06') + records);
    const auto length = by_hand::front().size() - mcap::magic.size() - mcap::record_prefix_bytes;
    bytes.replace(mcap::magic.size() + 1, 8, by_hand::u64(length + 20));
    CHECK(verdicts_of(bytes).streamed == "");
}

TEST_CASE("a length that ends inside of a record after it costs no message")
{
    for (const auto& [name, record] : covering_kinds()) {
        if (name == "Message" || name == "Chunk") continue;
        CAPTURE(name);
        const auto chunk = by_hand::chunk(text_message(2) + text_message(3));
        for (const std::size_t more : {12u, 40u, 80u}) {
            const auto verdicts = verdicts_of(by_hand::file(
                text_channel + text_message(1) + with_length(record, record.size() + more) + chunk + text_message(4)));
            CHECK_FALSE(verdicts.streamed.empty());
            CHECK_FALSE(verdicts.through_index.empty());
            CHECK(verdicts.saved == text_lines(4));
            CHECK_FALSE(verdicts.recovered.intact());
        }
    }
}

TEST_CASE("bytes after the known fields of a record are no damage, unless they are records")
{
    for (const auto& [name, record] : covering_kinds()) {
        if (name == "Message" || name == "MessageIndex") continue;  // there is no chunk before it
        CAPTURE(name);
        for (const auto& more : {std::string("\x05"), std::string(40, '\x06'), text_message(9) + "x",
                                 std::string("x") + text_message(9), std::string(200, '\0')}) {
            const auto verdicts =
                verdicts_of(by_hand::file(text_channel + text_message(1) +
                                          with_length(record, record.size() + more.size()) + more + text_message(2)));
            CHECK(verdicts.streamed == "");
            CHECK(verdicts.through_index == "");
            CHECK(verdicts.saved == text_lines(2));
            CHECK(verdicts.recovered.intact());
        }
    }
}

TEST_CASE("a record with a reserved opcode and the content of another one is that one, damaged")
{
    const auto chunk = by_hand::chunk(text_message(2) + text_message(3));
    for (const auto bit : {0x10, 0x20, 0x40}) {
        for (const auto& [at, record] : {std::pair(1, text_message(2) + text_message(3)), std::pair(2, chunk),
                                         std::pair(0, text_message(2) + text_message(3))}) {
            auto channel = text_channel;
            auto records = record;
            auto& damaged = at == 0 ? channel : records;
            damaged[0] = static_cast<char>(damaged[0] | bit);
            CAPTURE(bit, at);
            const auto verdicts = verdicts_of(by_hand::file(channel + text_message(1) + records));
            CHECK(verdicts.streamed.find("its opcode is wrong") != std::string::npos);
            CHECK(verdicts.through_index.find("its opcode is wrong") != std::string::npos);
            CHECK(verdicts.saved == text_lines(3));
            CHECK_FALSE(verdicts.recovered.intact());
        }
    }
}

TEST_CASE("an unknown record is passed over with a warning, that of an application without one")
{
    const auto unknown = [](int opcode, const std::string& content) {
        return by_hand::record(static_cast<mcap::Opcode>(opcode), content);
    };
    for (const auto opcode : {0x10, 0x45, 0x7f, 0x80, 0xff}) {
        CAPTURE(opcode);
        const auto verdicts = verdicts_of(
            by_hand::file(text_channel + text_message(1) + unknown(opcode, "of a later version") + text_message(2)));
        CHECK(verdicts.streamed == "");
        CHECK(verdicts.through_index == "");
        CHECK(verdicts.saved == text_lines(2));
        CHECK(verdicts.warnings.size() == (opcode < 0x80 ? 1u : 0u));
        if (opcode == 0x45)
            CHECK(verdicts.warnings.front() == "an unknown record of opcode 0x45 of 18 bytes was passed over");
    }
    auto chunk = by_hand::chunk(text_message(2));
    chunk[0] = static_cast<char>(0x86);
    const auto verdicts = verdicts_of(by_hand::file(text_channel + text_message(1) + chunk));
    CHECK(verdicts.streamed == "");
    CHECK(verdicts.warnings.size() == 1);

    const auto data = text_channel + text_message(1) + text_message(2);
    const auto cut = verdicts_of(file_with_summary(data, with_length(unknown(0x72, ""), 1u << 30)));
    REQUIRE(cut.warnings.size() == 1);  // nothing was passed over
    CHECK(cut.warnings.front().find("the summary is damaged") == 0);
}

TEST_CASE("a message before the record of its channel is damage, although the summary has that record")
{
    const auto undeclared = "a message of the channel 1, which was not declared before";
    const auto messages = text_message(1) + text_message(2);
    const auto lost = verdicts_of(file_with_summary(messages, text_channel));
    CHECK(lost.streamed.find(undeclared) != std::string::npos);
    CHECK(lost.through_index.find(undeclared) != std::string::npos);
    CHECK(lost.saved == text_lines(2));
    CHECK_FALSE(lost.recovered.intact());

    // The number is that of the message that needs it, or of the first one in its chunk.
    const auto other = by_hand::channel(2, 0, "b") + by_hand::message(2, 1, "{}");
    const auto count = messages.size();
    for (const auto& data : {messages, by_hand::chunk(messages, "", count, crc32(bytes_of(messages)), 1, 2)}) {
        const auto second = verdicts_of(file_with_summary(other + data, text_channel)).recovered;
        REQUIRE(second.losses == 1);
        CHECK(second.lost[0].error.reason() ==
              "the channel 'a' (id 1) was not declared before, and is taken from the summary");
        CHECK(second.lost[0].error.where().frame == 1u);
        CHECK(second.lost[0].frame == 1u);
    }

    const auto schema = by_hand::schema(3, "s", "jsonschema", "{}"), channel = by_hand::channel(1, 3, "a");
    const auto no_schema = verdicts_of(file_with_summary(channel + messages, schema + channel));
    CHECK(no_schema.streamed.find("has the schema 3, which was not declared before") != std::string::npos);
    CHECK(no_schema.through_index.find("has the schema 3, which was not declared before") != std::string::npos);
    CHECK(no_schema.saved == text_lines(2));
    CHECK_FALSE(no_schema.recovered.intact());

    // What a chunk declares is known after it.
    const auto valid = verdicts_of(by_hand::file(by_hand::chunk(schema + channel + text_message(1)) + text_message(2)));
    CHECK(valid.streamed == "");
    CHECK(valid.through_index == "");
    const auto split = verdicts_of(by_hand::file(by_hand::chunk(schema) + channel + text_message(1) + text_message(2)));
    CHECK(split.streamed == "");
    CHECK(split.through_index == "");
}

TEST_CASE("all messages of a channel that is declared nowhere are lost for one reason")
{
    const auto other = [](std::uint64_t time) { return by_hand::message(2, time, "x"); };
    const auto records = text_channel + text_message(1) + other(1) + text_message(2) + other(2) + other(3);
    // The chunk states the times of its messages: others are damage of their own.
    const auto crc = crc32(bytes_of(records));
    for (const auto& data : {records, by_hand::chunk(records, "", records.size(), crc, 1, 3)}) {
        const auto verdicts = verdicts_of(by_hand::file(data));
        CHECK(verdicts.streamed.find("a message of the channel 2, which was not declared before") != std::string::npos);
        CHECK(verdicts.saved == text_lines(2));
        REQUIRE(verdicts.recovered.losses == 1);
        CHECK(verdicts.recovered.lost[0].error.reason() ==
              "3 messages of the channel 2, which was not declared before");
        CHECK(verdicts.recovered.lost_frames.count() == 3u);
        CHECK(verdicts.recovered.lost_bytes == 3 * other(1).size());
    }
}

TEST_CASE("damage in the summary is a warning, as the messages are complete")
{
    const auto channel = by_hand::channel(2, 0, "b");
    const auto data = text_channel + text_message(1) + text_message(2);
    for (const std::uint64_t length : {0u, 3u, 1000u, 1u << 30}) {
        const auto verdicts = verdicts_of(
            file_with_summary(data, text_channel + with_length(channel, length + mcap::record_prefix_bytes)));
        CAPTURE(length);
        CHECK(verdicts.streamed == "");
        CHECK(verdicts.through_index == "");
        CHECK(verdicts.warnings.size() == 1);
        CHECK(verdicts.saved == text_lines(2));
        CHECK_FALSE(verdicts.recovered.intact());
    }
}

TEST_CASE("a record of the summary that covers those after it is damage in the summary")
{
    const auto data = text_channel + text_message(1) + text_message(2);
    const auto place = by_hand::u64(8) + by_hand::u64(20);
    const auto statistics =
        by_hand::record(mcap::Opcode::statistics, by_hand::u64(2) + by_hand::u16(0) + by_hand::u32(1) +
                                                      by_hand::u32(0) + by_hand::u32(0) + by_hand::u32(0) +
                                                      by_hand::u64(1) + by_hand::u64(2) + by_hand::u32(0));
    const auto offset = by_hand::record(mcap::Opcode::summary_offset, "\x04" + place);
    for (const auto& [name, record] : std::vector<std::pair<std::string, std::string>>{
             {"Statistics", statistics}, {"Channel", text_channel}, {"SummaryOffset", offset}}) {
        const auto covered = name == "Channel" ? statistics : offset + offset;
        const auto length = record.size() + covered.size();
        const auto verdicts = verdicts_of(file_with_summary(data, with_length(record, length) + covered));
        CAPTURE(name);
        CHECK(verdicts.streamed == "");
        CHECK(verdicts.through_index == "");
        CHECK(verdicts.warnings.size() == 1);
        CHECK(verdicts.saved == text_lines(2));
        REQUIRE(verdicts.recovered.losses == 1);
        CHECK(verdicts.recovered.lost[0].error.reason().starts_with("the length of a " + name + " record is wrong"));
        CHECK(verdicts.recovered.lost_frames.count() == 0u);
        // Other bytes after the fields are those of a later version.
        const auto more = with_length(record + std::string(20, '\x07'), record.size() + 20);
        CHECK(verdicts_of(file_with_summary(data, more)).warnings.empty());
    }
}

TEST_CASE("after damage in the summary a message warns of its time as well")
{
    const ScratchFolder folder;
    const auto file = folder / "in.mcap";
    const auto data = channel_of_views(Encoding::protobuf) + by_hand::message(1, 1, field(7, ground_truth(1)));
    write_file(file, file_with_summary(data, with_length(by_hand::channel(1, 1, "view", "protobuf"), 3)));
    std::vector<std::string> warnings;
    OpenOptions options;
    options.on_warning = [&](const Error& error) { warnings.push_back(error.reason()); };
    CHECK(mcap_file::through_index(file, options).error == "");
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[1] == "a message has no timestamp: its time is that of global_ground_truth.timestamp");
}

TEST_CASE("a record of the summary with the opcode of one of the data is no message that is lost")
{
    const auto data = text_channel + text_message(1) + text_message(2);
    const auto index = by_hand::u64(8) + by_hand::u64(20);  // where a record is, and its length
    const auto statistics = by_hand::u64(2) + by_hand::u16(0) + by_hand::u32(1) + by_hand::u32(0) + by_hand::u32(0) +
                            by_hand::u32(0) + by_hand::u64(1) + by_hand::u64(2) + by_hand::u32(0);
    const std::vector<std::pair<mcap::Opcode, std::string>> records{
        {mcap::Opcode::metadata_index, index + by_hand::text("the name")},
        {mcap::Opcode::channel, text_channel.substr(mcap::record_prefix_bytes)},
        {mcap::Opcode::statistics, statistics},
        {mcap::Opcode::summary_offset, "\x04" + index}};
    int tried = 0;
    for (const auto& [opcode, content] : records)
        for (auto bit = 1u; bit <= 8; bit <<= 1) {
            const auto damaged = static_cast<mcap::Opcode>(static_cast<unsigned>(opcode) ^ bit);
            if (!mcap::holds_data(damaged)) continue;
            ++tried;
            CAPTURE(name_of(opcode), name_of(damaged));
            const auto verdicts = verdicts_of(file_with_summary(data, by_hand::record(damaged, content)));
            CHECK(verdicts.streamed == "");
            CHECK(verdicts.through_index == "");
            CHECK(verdicts.warnings.size() == 1);
            CHECK(verdicts.saved == text_lines(2));
            REQUIRE(verdicts.recovered.losses == 1);
            CHECK(verdicts.recovered.lost[0].error.reason() == "a record " + name_of(damaged) +
                                                                   " has the content of a " + name_of(opcode) +
                                                                   " record: its opcode is wrong");
            CHECK(verdicts.recovered.lost_frames.count() == 0u);
        }
    CHECK(tried == 9);
}

TEST_CASE("a Statistics record after damage in the summary is used if its counts add up")
{
    const auto statistics = [](std::uint64_t count, std::uint64_t of_channel) {
        return by_hand::record(mcap::Opcode::statistics, by_hand::u64(count) + by_hand::u16(0) + by_hand::u32(1) +
                                                             by_hand::u32(0) + by_hand::u32(0) + by_hand::u32(0) +
                                                             by_hand::u64(1) + by_hand::u64(2) +
                                                             by_hand::text(by_hand::u16(1) + by_hand::u64(of_channel)));
    };
    const auto data = text_channel + text_message(1) + text_message(2);
    const auto damaged = with_length(text_channel, 1u << 30);
    const auto contradicts = verdicts_of(file_with_summary(data, damaged + statistics(1u << 20, 2)));
    CHECK(contradicts.streamed == "");
    CHECK(contradicts.saved == text_lines(2));
    CHECK_FALSE(contradicts.recovered.intact());
    CHECK(contradicts.recovered.lost_frames.count() == 0u);
    CHECK(verdicts_of(file_with_summary(data, damaged + statistics(5, 5))).recovered.lost_frames.count() == 3u);
}

TEST_CASE("a summary need not repeat the schemas of its channels")
{
    const auto schema = by_hand::schema(3, "s", "jsonschema", "{}"), channel = by_hand::channel(1, 3, "a");
    const auto messages = text_message(1) + text_message(2);
    const std::vector<std::string> valid{schema + channel + messages, by_hand::chunk(schema + channel + messages),
                                         by_hand::chunk(schema) + channel + messages,
                                         schema + by_hand::chunk(channel + messages)};
    for (const auto& data : valid) {
        const ScratchFolder folder;
        write_file(folder / "in.mcap", file_with_summary(data, channel));
        std::vector<std::string> warnings;
        OpenOptions options;
        options.on_warning = [&](const Error& error) { warnings.push_back(error.reason()); };
        const auto read = mcap_file::through_index(folder / "in.mcap", options);
        CHECK(read.error == "");
        CHECK(read.lines == text_lines(2));
        CHECK(warnings.empty());
    }
    // The schema of the data serves a channel whose record is gone.
    CHECK(verdicts_of(file_with_summary(schema + messages, channel)).saved == text_lines(2));
}

TEST_CASE("a chunk that the index names is read, whatever the length of a record before it")
{
    const auto placed = [](std::uint64_t time) { return std::pair(time, std::uint64_t{0}); };
    for (const std::size_t before : {0u, 5u}) {
        by_hand::IndexedFile file;
        file.add_chunk(text_message(1), {placed(1)});
        const auto damaged = by_hand::record(static_cast<mcap::Opcode>(0x81), std::string(20 + before, '\x07'));
        file.add(with_length(damaged, damaged.size() + 100 + before));
        file.add_chunk(text_message(2), {placed(2)});
        file.add_chunk(text_message(3), {placed(3)});
        const auto verdicts = verdicts_of(file.finished());
        CHECK_FALSE(verdicts.streamed.empty());
        CHECK(verdicts.saved == text_lines(3));
        CHECK_FALSE(verdicts.recovered.intact());
    }
}

TEST_CASE("only a Message record of a declared channel with readable times counts")
{
    const auto knows = [](std::uint16_t id) { return id == 1; };
    const auto first = [&](const std::string& data) { return mcap::first_trailing_record(bytes_of(data), knows); };
    for (const std::size_t before : {1u, 40u, 300u}) {
        const std::string data(before, 'x');
        CHECK(first(data + by_hand::message(1, 7, "data")) == before);
        CHECK(first(data + by_hand::message(1, 7, "") + by_hand::message(1, 8, "data")) == before);
        CHECK_FALSE(first(data + by_hand::message(2, 7, "data")));
        CHECK_FALSE(first(data + by_hand::message(1, ~std::uint64_t{}, "data")));
        CHECK_FALSE(first(data + by_hand::message(1, 7, "data") + "x"));
        CHECK(first(data + by_hand::metadata("name", "key", "value and other things")) == before);
        CHECK(first(data + by_hand::channel(2, 0, "b") + by_hand::message(2, 7, "data")) == before);
        CHECK(first(data + by_hand::chunk(by_hand::message(1, 7, "data"))) == before);
    }
    CHECK_FALSE(first(by_hand::message(1, 7, "data")));
    CHECK_FALSE(first(""));
}
