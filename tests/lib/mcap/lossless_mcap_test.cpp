// SPDX-License-Identifier: MPL-2.0
// Messages that stand where no message should stand are read or refused: they are never left out without a word.
#include <string>
#include <vector>

#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/mcap/indexed_file.hpp"
#include "tests/lib/mcap/read_both_ways.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using mcap_file::behind_name, mcap_file::streamed, mcap_file::through_index;
namespace by_hand = mcap_bytes;

namespace {

using Lines = std::vector<std::string>;
const std::string channel_a = by_hand::IndexedFile::a_channel();
const std::string one = by_hand::message(1, 1, "one"), two = by_hand::message(1, 2, "two"),
                  three = by_hand::message(1, 3, "three");

}  // namespace

TEST_CASE("a chunk that holds other records than schemas, channels and messages is refused, however it is read")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto place = std::to_string(by_hand::front().size() + channel_a.size());
    const auto refused = [&](const std::string& name, const std::string& inner) {
        const auto text =
            "frame 0 at byte " + place + ": a chunk holds a record " + name + " at byte " + std::to_string(one.size()) +
            " of its records, expected Schema, Channel or Message (osiconvert recover saves the messages)";
        write_file(file, by_hand::file(channel_a + by_hand::chunk(one + inner + three)));
        CHECK(behind_name(streamed(file).error, file) == text);
        CHECK(behind_name(through_index(file).error, file) == text);
        by_hand::IndexedFile indexed;
        indexed.add_chunk(one + inner + three, {{1, 0}, {3, one.size() + inner.size()}});
        write_file(file, indexed.finished());
        CHECK(behind_name(streamed(file).error, file) == text);
        CHECK(behind_name(through_index(file).error, file) == text);
    };
    refused("Chunk", by_hand::chunk(two));
    refused("MessageIndex", by_hand::record(mcap::Opcode::message_index, by_hand::u16(1) + by_hand::u32(0)));
    refused("Metadata", by_hand::metadata("m", "k", "v"));
    refused("of opcode 0x1f", by_hand::record(mcap::Opcode(0x1f), "of a later version"));
}

TEST_CASE("records of an application or a later version are counted, wherever they stand and however the file is read")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto own = by_hand::record(mcap::Opcode(0x90), "private"),
               later = by_hand::record(mcap::Opcode(0x1f), "of a later version");
    const auto counted = [&](const std::string& bytes, std::uint64_t count, const Lines& lines) {
        write_file(file, bytes);
        for (const auto& read : {streamed(file), through_index(file)}) {
            CHECK(read.error == "");
            CHECK(read.lines == lines);
            CHECK(read.info.application_records == count);
        }
    };
    counted(by_hand::file(own + channel_a + one + own + later + three), 3, {"a@1#0:one", "a@3#0:three"});
    counted(by_hand::file(channel_a + by_hand::chunk(own + one + own + three) + later), 3,
            {"a@1#0:one", "a@3#0:three"});
    counted(by_hand::file(channel_a + by_hand::chunk(own) + one), 1, {"a@1#0:one"});
    by_hand::IndexedFile indexed;
    indexed.add_chunk(own + one + own, {{1, own.size()}});
    indexed.add(later);
    indexed.add_chunk(own + three, {{3, own.size()}}, own);
    counted(indexed.finished(), 5, {"a@1#0:one", "a@3#0:three"});
    indexed.add_chunk(own, {});
    counted(indexed.finished(), 6, {"a@1#0:one", "a@3#0:three"});
}

TEST_CASE("records of an application in a chunk are counted once, whatever a reader comes back to")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto own = by_hand::record(mcap::Opcode(0x90), "private");
    by_hand::IndexedFile indexed;
    indexed.add_chunk(own + one, {{1, own.size()}});
    indexed.add_chunk(two, {{2, 0}});
    write_file(file, indexed.finished());
    const auto reader = open_trace(file)->reader();
    Frame frame;
    reader->seek_frame(1);
    REQUIRE(reader->read(frame));
    CHECK(reader->info().application_records == 0);
    for (int turn = 0; turn < 2; ++turn) {
        reader->seek_frame(0);
        REQUIRE(reader->read(frame));
        CHECK(reader->info().application_records == 1);
    }
}

TEST_CASE("messages of a chunk that stands in a chunk are salvaged")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(file, by_hand::file(channel_a + by_hand::chunk(one + by_hand::chunk(by_hand::chunk(two)) +
                                                              by_hand::metadata("m", "k", "v") + three)));
    OpenOptions options;
    options.skip_bad_frames = true;
    std::vector<std::uint64_t> lost;
    options.on_skip = [&](const SkippedBytes& skipped) { lost.push_back(skipped.bytes); };

    CHECK(streamed(file, options).lines == Lines{"a@1#0:one", "a@2#0:two", "a@3#0:three"});
    REQUIRE(lost.size() == 1);
    CHECK(lost[0] < 40);
}

TEST_CASE("zeros over records are no records, however they are read")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto place = [](const std::string& front) {
        return std::to_string(by_hand::front().size() + channel_a.size() + front.size());
    };
    const std::string zeros(18, '\0');  // two empty records, if there were any
    write_file(file, by_hand::file(channel_a + one + zeros + three));
    for (const auto& read : {streamed(file), through_index(file)}) {
        CHECK(read.lines == Lines{"a@1#0:one"});
        CHECK(behind_name(read.error, file) ==
              "frame 1 at byte " + place(one) + ": a record begins with the invalid opcode 0x00");
    }
    const auto records = one + zeros + three;
    write_file(file, by_hand::file(channel_a + by_hand::chunk(records, "", records.size(), 0)));
    for (const auto& read : {streamed(file), through_index(file)})
        CHECK(behind_name(read.error, file) ==
              "frame 0 at byte " + place("") + ": a record begins with the invalid opcode 0x00");
}

TEST_CASE("data behind the DataEnd record are refused, however they are read, and salvaged")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto data_end = by_hand::record(mcap::Opcode::data_end, by_hand::u32(0));
    const auto chunk = by_hand::chunk(one),
               index = by_hand::record(mcap::Opcode::message_index,
                                       by_hand::u16(1) + by_hand::text(by_hand::u64(1) + by_hand::u64(0)));
    const auto place =
        std::to_string(by_hand::front().size() + channel_a.size() + chunk.size() + index.size() + data_end.size());
    const auto refused = [&](const std::string& name, const std::string& behind, const Lines& salvaged) {
        by_hand::IndexedFile indexed;
        indexed.add_chunk(one, {{1, 0}});
        for (const auto& whole :
             {indexed.finished(behind), by_hand::file(channel_a + chunk + index + data_end + behind)}) {
            write_file(file, whole);
            const auto text = "frame 1 at byte " + place + ": a record " + name +
                              " follows the DataEnd record, expected the summary (osiconvert recover saves it)";
            for (const auto& read : {streamed(file), through_index(file)}) {
                CHECK(read.lines == Lines{"a@1#0:one"});
                CHECK(behind_name(read.error, file) == text);
            }
            OpenOptions options;
            options.skip_bad_frames = true;
            std::vector<std::uint64_t> lost;
            options.on_skip = [&](const SkippedBytes& skipped) {
                if (skipped.kept == 0) lost.push_back(skipped.bytes);  // else a message without a checksum
            };
            CHECK(streamed(file, options).lines == salvaged);
            CHECK(through_index(file, options).lines == salvaged);
            CHECK(lost == std::vector<std::uint64_t>{0, 0});
        }
    };
    refused("Chunk", by_hand::chunk(two), {"a@1#0:one", "a@2#0:two"});
    refused("Message", two, {"a@1#0:one", "a@2#0:two"});
    refused("Metadata", by_hand::metadata("m", "k", "v"), {"a@1#0:one"});
}

TEST_CASE("channels that stand behind a DataEnd record and in front of more data are those of the data")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto data_end = by_hand::record(mcap::Opcode::data_end, by_hand::u32(0));
    const auto b_channel = by_hand::channel(2, 0, "b"), c_channel = by_hand::channel(3, 0, "c");
    const auto behind =
        b_channel + by_hand::chunk(c_channel + by_hand::message(2, 2, "two") + by_hand::message(3, 3, "three"));
    write_file(file, by_hand::file(channel_a + one + data_end + behind + data_end + channel_a));
    OpenOptions options;
    options.skip_bad_frames = true;
    for (const auto& read : {streamed(file, options), through_index(file, options)}) {
        CHECK(read.error == "");
        CHECK(read.lines == Lines{"a@1#0:one", "b@2#0:two", "c@3#0:three"});
        CHECK(read.info.channels.size() == 3);
    }
}

TEST_CASE("what indexes and Statistics agree to leave out is read all the same")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto lines = [&](const by_hand::IndexedFile& indexed) {
        write_file(file, indexed.finished());
        CHECK(through_index(file).error.empty());
        CHECK(through_index(file).info.metadata.size() == streamed(file).info.metadata.size());
        return through_index(file).lines;
    };
    by_hand::IndexedFile empty_index;
    empty_index.add_chunk(one, {{1, 0}});
    empty_index.add_chunk(two, {});
    CHECK(lines(empty_index) == Lines{"a@1#0:one", "a@2#0:two"});
    by_hand::IndexedFile between;
    between.add_chunk(one, {{1, 0}});
    between.add(by_hand::chunk(two) + by_hand::metadata("m", "k", "v"));
    between.add_chunk(three, {{3, 0}});
    CHECK(lines(between) == Lines{"a@1#0:one", "a@2#0:two", "a@3#0:three"});
    by_hand::IndexedFile outside;
    outside.add(one);
    outside.add_chunk(two, {{2, 0}});
    CHECK(lines(outside) == Lines{"a@1#0:one", "a@2#0:two"});
}

TEST_CASE("a channel that states no message encoding states none in a copy")
{
    const ScratchFolder folder;
    write_file(folder / "in.mcap", by_hand::file(by_hand::channel(1, 0, "a", "") + one));
    const auto source = open_stream(folder / "in.mcap");
    const auto writer = create_trace(folder / "out.mcap", source->info());
    for (Frame frame; source->read(frame);) writer->write(frame);
    writer->close();
    CHECK(open_trace(folder / "out.mcap")->info().channels.at(0).message_encoding.empty());
}

TEST_CASE("a message index that leaves out a message is refused, whatever it lists in its place")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto error = [&](const by_hand::IndexedFile& indexed) {
        write_file(file, indexed.finished());
        return behind_name(through_index(file).error, file);
    };
    const auto place = "frame 0 at byte " + std::to_string(by_hand::front().size() + channel_a.size()) + ": ";
    constexpr auto hint = " (osiconvert recover writes the index anew)";
    by_hand::IndexedFile fewer;
    fewer.add_chunk(one + two, {{1, 0}});
    CHECK(error(fewer) == place + "number of messages in a chunk: found 2, its message index lists 1" + hint);
    CHECK(streamed(file).error != "");
    by_hand::IndexedFile twice;
    twice.add_chunk(one + two, {{1, 0}, {1, 0}});
    CHECK(error(twice) == place + "a message index lists the message at byte 0 of a chunk twice" + hint);
    CHECK(streamed(file).error != "");
    by_hand::IndexedFile hidden;
    hidden.add_chunk(one, {{1, 0}}, by_hand::chunk(two));
    CHECK(error(hidden) ==
          place + "a record Chunk is where the chunk index expects the message index of this chunk" + hint);
}

TEST_CASE("where damage is passed over, the summary declares what is missing, and what the data declare comes first")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto salvaged = [&](const std::string& data, const std::string& summary) {
        const auto front = by_hand::front() + data + by_hand::record(mcap::Opcode::data_end, by_hand::u32(0));
        write_file(file, front + summary +
                             by_hand::record(mcap::Opcode::footer,
                                             by_hand::u64(front.size()) + by_hand::u64(0) + by_hand::u32(0)) +
                             std::string(mcap::magic));
        OpenOptions options;
        options.skip_bad_frames = true;
        return streamed(file, options).lines;
    };
    const auto damaged = std::string(1, '\x04') + by_hand::u64(4) + "lost";
    const auto other = by_hand::channel(1, 0, "other");
    CHECK(salvaged(damaged + one + by_hand::chunk(two), channel_a) == Lines{"a@1#0:one", "a@2#0:two"});
    CHECK(salvaged(channel_a + one + by_hand::chunk(two), other) == Lines{"a@1#0:one", "a@2#0:two"});
    CHECK(salvaged(damaged + one + by_hand::chunk(channel_a + two), other) == Lines{"other@1#0:one", "other@2#0:two"});
}

TEST_CASE("a chunk that declares a channel otherwise than the summary is refused")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto declared = by_hand::channel(1, 0, "b");
    by_hand::IndexedFile indexed;
    indexed.add_chunk(declared + one, {{1, declared.size()}});
    auto bytes = indexed.finished();
    bytes.replace(bytes.find(channel_a), channel_a.size(),
                  by_hand::record(mcap::Opcode(0x90), std::string(channel_a.size() - 9, ' ')));
    write_file(file, bytes);
    CHECK(streamed(file).lines == Lines{"b@1#0:one"});
    CHECK(behind_name(through_index(file).error, file) ==
          "frame 0 at byte " + std::to_string(bytes.find(by_hand::chunk(declared + one))) +
              ": the channel 1 was 'a' and is declared again with other contents as 'b'");
}
