// SPDX-License-Identifier: MPL-2.0
// Schemas and channels that are declared again.
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

#include <ositrace/check.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/mcap/read_both_ways.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
namespace by_hand = mcap_bytes;
using mcap_file::behind_name, mcap_file::streamed, mcap_file::through_index;
using Lines = std::vector<std::string>;
using Metadata = std::map<std::string, std::string>;

namespace {

std::string channel_with(const Metadata& metadata, const std::string& topic = "a")
{
    std::string entries;
    for (const auto& [key, value] : metadata) entries += by_hand::text(key) + by_hand::text(value);
    return by_hand::record(mcap::Opcode::channel, by_hand::u16(1) + by_hand::u16(0) + by_hand::text(topic) +
                                                      by_hand::text("json") + by_hand::text(entries));
}

std::string chunk_of(const std::string& declared, std::uint64_t time)
{
    return by_hand::chunk(declared + by_hand::message(1, time, std::to_string(time)));
}

std::string file_with(const std::string& records, const std::string& summary, std::uint32_t crc = 0)
{
    const auto data = by_hand::front() + records + by_hand::record(mcap::Opcode::data_end, by_hand::u32(0));
    return data + summary +
           by_hand::record(mcap::Opcode::footer,
                           by_hand::u64(summary.empty() ? 0 : data.size()) + by_hand::u64(0) + by_hand::u32(crc)) +
           std::string(mcap::magic);
}

/// How a file is read, and what is reported meanwhile.
struct Told {
    explicit Told(const std::filesystem::path& of) : file(of)
    {
        options.on_warning = [this](const Error& error) {
            const std::scoped_lock lock(mutex);
            warnings.push_back(behind_name(error.what(), file));
        };
    }
    std::filesystem::path file;
    std::mutex mutex;
    Lines warnings;
    OpenOptions options;
};

const Metadata early{{"common", "same"}, {"old", "x"}, {"version", "1"}};
const Metadata late{{"common", "same"}, {"new", "y"}, {"version", "2"}};
const Lines all{"a@1#0:1", "a@2#0:2"};
const std::string late_counts =
    "the channel 'a' is declared again with other metadata: new is 'y' (elsewhere not "
    "set), old is not set (elsewhere 'x'), version is '2' (elsewhere '1')";
const std::string early_counts =
    "the channel 'a' is declared again with other metadata: new is not set (elsewhere "
    "'y'), old is 'x' (elsewhere not set), version is '1' (elsewhere '2')";

}  // namespace

TEST_CASE("the metadata of a channel are those of the summary, and what differs from them is reported once")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(file,
               file_with(chunk_of(channel_with(early), 1) + chunk_of(channel_with(early), 2), channel_with(late)));
    for (const bool skip : {false, true})
        for (const auto read : {streamed, through_index}) {
            Told told(file);
            told.options.skip_bad_frames = skip;
            const auto found = read(file, told.options);
            CHECK(found.error.empty());
            CHECK(found.lines == all);
            REQUIRE(found.info.channels.size() == 1);
            CHECK(found.info.channels.front().metadata == late);
            CHECK(found.info.late_channel_keys.empty());
            CHECK(told.warnings == Lines{late_counts});
        }
}

TEST_CASE("without a summary, or with a damaged one, the first metadata of a channel count")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto records = chunk_of(channel_with(early), 1) + chunk_of(channel_with(late), 2);
    for (const auto& bytes : {file_with(records, ""), file_with(records, channel_with(late), 1)}) {
        write_file(file, bytes);
        for (const auto read : {streamed, through_index}) {
            Told told(file);
            const auto found = read(file, told.options);
            CHECK(found.error.empty());
            CHECK(found.lines == all);
            CHECK(found.info.channels.front().metadata == early);
            CHECK(found.info.late_channel_keys.empty());
            CHECK(std::ranges::count(told.warnings, early_counts) == 1);
        }
    }
}

TEST_CASE("a pipe has the first metadata, and the keys that its summary corrects")
{
    const ScratchFolder folder;
    const auto pipe = folder / "pipe.mcap";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const auto read = [&](const std::string& bytes) {
        Told told(pipe);
        std::jthread writer([&] { write_file(pipe, bytes); });
        const auto found = streamed(pipe, told.options);
        CHECK(found.error.empty());
        CHECK(found.lines == all);
        CHECK(found.info.channels.front().metadata == early);
        CHECK(told.warnings == Lines{early_counts});
        return found.info.late_channel_keys;
    };
    const auto first = chunk_of(channel_with(early), 1);
    CHECK(read(file_with(first + chunk_of("", 2), channel_with(late))) == Lines{"new", "old", "version"});
    CHECK(read(file_with(first + chunk_of(channel_with(late), 2), channel_with(late))) ==
          Lines{"new", "old", "version"});
    CHECK(read(file_with(first + chunk_of(channel_with(late), 2), channel_with(early))).empty());
    CHECK(read(file_with(first + chunk_of(channel_with(late), 2), "")).empty());
}

TEST_CASE("a summary that gives a channel another topic corrects no metadata")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(file, file_with(chunk_of(channel_with(early), 1), channel_with(late, "other")));
    CHECK(streamed(file).lines == Lines{"a@1#0:1"});
    CHECK_THAT(streamed(file).error,
               Catch::Matchers::EndsWith("the channel 1 was 'a' and is declared again with other contents as 'other'"));
}

TEST_CASE("of long metadata the warning gives the beginning")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    Metadata many;
    for (int i = 10; i != 30; ++i) many["key" + std::to_string(i)] = std::string(100'000, 'v');
    write_file(file, file_with(chunk_of(channel_with({}), 1) + chunk_of(channel_with(many), 2), ""));
    Told told(file);
    CHECK(streamed(file, told.options).lines == all);
    REQUIRE(told.warnings.size() == 1);
    CHECK(told.warnings.front().size() < 2000);
    CHECK(told.warnings.front().find("key10 is not set (elsewhere 'vvv") != std::string::npos);
    CHECK(told.warnings.front().ends_with(" and 12 more"));
}

TEST_CASE("a schema may be declared again with other data only if they describe the same messages")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const std::string set(text_of(Schema::built_in()->descriptor_set()));
    const auto read = [&](const std::string& second, const std::string& summary) {
        const auto declared = by_hand::schema(1, "osi3.GroundTruth", "protobuf", set) +
                              by_hand::channel(1, 1, "gt", "protobuf") + by_hand::message(1, 1, ground_truth(1));
        const auto again = second.empty() ? "" : by_hand::schema(1, "osi3.GroundTruth", "protobuf", second);
        write_file(file,
                   file_with(by_hand::chunk(declared) + by_hand::chunk(again + by_hand::message(1, 2, "")), summary));
        Told told(file);
        const auto stream = streamed(file, told.options);
        const auto index = through_index(file, told.options);
        CHECK(stream.lines.size() == index.lines.size());
        CHECK(stream.error.empty() == index.error.empty());
        return std::pair(stream.lines.size(), told.warnings);
    };
    CHECK(read(set, "") == std::pair(std::size_t{2}, Lines{}));
    const auto with_another_file = set + field(1, field(1, "other.proto"));
    const Lines once_each(2,
                          "the schema 'osi3.GroundTruth' is declared again with other data that describe the same "
                          "messages");
    CHECK(read(with_another_file, "") == std::pair(std::size_t{2}, once_each));
    // message GroundTruth { optional int32 x = 1; }
    const auto fields_x = field(2, field(1, "x") + varint_field(3, 1) + varint_field(4, 1) + varint_field(5, 5));
    const auto other = field(1, field(1, "gt.proto") + field(2, "osi3") + field(4, field(1, "GroundTruth") + fields_x));
    REQUIRE(Schema::compile(bytes_of(other))->find("osi3.GroundTruth") != nullptr);
    for (const auto& different : {other, std::string("\xff"), set.substr(0, set.size() - 1)}) {
        CHECK(read(different, "").first == 1);
        CHECK_THAT(streamed(file).error, Catch::Matchers::ContainsSubstring("the schema 1 was 'osi3.GroundTruth' and "
                                                                            "is declared again with other contents"));
    }
}

TEST_CASE("check names the channel whose metadata differ once, and reads every frame")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(file,
               file_with(chunk_of(channel_with(early), 1) + chunk_of(channel_with(early), 2), channel_with(late)));
    const auto result = check_trace(file);
    CHECK(result.frames == 2);
    Lines found;
    for (const auto& finding : result.findings) {
        CHECK(!finding.id.ends_with("mcap.valid_file"));
        if (finding.id.ends_with(":mcap.repeated_record")) found.push_back(finding.message);
    }
    CHECK(found == Lines{late_counts});
}
