// SPDX-License-Identifier: MPL-2.0
// The length of a Message record that covers the messages after it, where no checksum shows it: Protobuf and
// FlatBuffers can be read with bytes after a message.
#include <string>
#include <vector>

#include <ositrace/recover.hpp>
#include <ositrace/schema_text.hpp>

#include "formats/mcap/covered_records.hpp"
#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
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
                        " bytes, and another message begins after " + std::to_string(all[1].size());
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
        CHECK_FALSE(first(data + by_hand::metadata("name", "key", "value and other things")));
    }
    CHECK_FALSE(first(by_hand::message(1, 7, "data")));
    CHECK_FALSE(first(""));
}
