// SPDX-License-Identifier: MPL-2.0
// Proof by destruction inside the chunks of an MCAP file: what the damage leaves whole comes back, and nothing comes
// back uncounted.
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/recover.hpp>
#include <ositrace/scene.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/mcap/mcap_file.hpp"
#include "tests/lib/mcap/read_both_ways.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/recover/contains.hpp"
#include "tests/lib/recover/messages_in.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/stride.hpp"

using namespace ositrace;

namespace {

std::string scene_file(const std::filesystem::path& file, const std::string& compression, std::uint64_t frames,
                       std::size_t chunk_bytes)
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.frames = frames;
    SceneSource scene(options);
    WriteOptions write;
    write.chunk_bytes = chunk_bytes;
    write.chunk_compression = compression;
    write.sync = false;
    const auto writer = create_trace(file, scene.info(), write);
    static_cast<void>(convert(scene, *writer, {}));
    writer->close();
    return read_file(file);
}

/// A chunk of a file: where it stands, and what is in it.
struct ChunkPlace {
    std::size_t offset = 0;   ///< of the record
    std::size_t records = 0;  ///< of the (compressed) records
    std::size_t end = 0;
    std::string unpacked;
    struct Message {
        std::size_t from, to;  ///< of the record, in the unpacked chunk
        std::string payload;
    };
    std::vector<Message> messages;
};

std::vector<ChunkPlace> chunks_of(const std::string& file)
{
    std::vector<ChunkPlace> chunks;
    mcap::RecordWalker walker(bytes_of(file).subspan(mcap::magic.size()));
    ChunkDecoder decoder(std::size_t{1} << 30);
    for (mcap::RawRecord record; walker.next(record) && record.opcode != mcap::Opcode::data_end;) {
        if (record.opcode != mcap::Opcode::chunk) continue;
        const auto chunk = mcap::parse_chunk(record.content);
        ChunkPlace place;
        place.offset = static_cast<std::size_t>(record.offset) + mcap::magic.size();
        place.records = static_cast<std::size_t>(chunk.records.data() - bytes_of(file).data());
        place.end = static_cast<std::size_t>(record.end()) + mcap::magic.size();
        place.unpacked = text_of(decoder.decode(chunk, nullptr).bytes);
        mcap::RecordWalker inside(bytes_of(place.unpacked));
        for (mcap::RawRecord each; inside.next(each);)
            if (each.opcode == mcap::Opcode::message)
                place.messages.push_back({static_cast<std::size_t>(each.offset), static_cast<std::size_t>(each.end()),
                                          std::string(text_of(mcap::parse_message(each.content).data))});
        chunks.push_back(std::move(place));
    }
    return chunks;
}

/// How many bytes of a block the compressor's own library unpacks, whole or cut off: what does not depend on the memory
/// it is put into.
std::size_t unpacked_block(const char* packed, std::size_t size, std::string_view whole)
{
    std::size_t least = whole.size();
    for (const char fill : {'\x00', '\x55'}) {
        std::string out(whole.size(), fill);
        static_cast<void>(
            LZ4_decompress_safe(packed, out.data(), static_cast<int>(size), static_cast<int>(out.size())));
        least = std::min(
            least, static_cast<std::size_t>(std::mismatch(out.begin(), out.end(), whole.begin()).first - out.begin()));
    }
    return least;
}

/// Of a chunk of independent blocks, from so many compressed bytes.
std::size_t unpacked_by_lz4(const std::string& packed, const std::string& whole)
{
    constexpr std::size_t header = 15, prefix = 4;  // the header states the size of the contents
    std::size_t made = 0;
    const auto block_bytes =
        packed.size() > 5 ? std::size_t{1} << (8 + 2 * (static_cast<unsigned char>(packed[5]) >> 4 & 7)) : 0;
    for (auto at = header; at + prefix < packed.size() && made < whole.size();) {
        const auto size = load_le32(reinterpret_cast<const std::byte*>(packed.data()) + at);
        if (size >> 31 != 0) break;  // stored as it is: not in these files
        at += prefix;
        const auto there = std::min<std::size_t>(size, packed.size() - at);
        made += unpacked_block(packed.data() + at, there, std::string_view(whole).substr(made, block_bytes));
        if (there != size) break;
        at += size;
    }
    return made;
}

std::size_t unpacked_by_zstd(const std::string& packed, const std::string& whole)
{
    std::string out(whole.size(), '\0');
    auto* const stream = ZSTD_createDStream();
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    for (std::size_t i = 0; i < packed.size(); ++i) {
        ZSTD_inBuffer from{packed.data() + i, 1, 0};
        REQUIRE_FALSE(ZSTD_isError(ZSTD_decompressStream(stream, &to, &from)));
    }
    ZSTD_freeDStream(stream);
    return to.pos;
}

/// Bytes of the unpacked chunk in front of damage at an offset of its packed records.
std::size_t in_front(const std::string& compression, const std::string& file, const ChunkPlace& chunk, std::size_t at)
{
    const auto packed = file.substr(chunk.records, at - chunk.records);
    if (compression == "lz4") return unpacked_by_lz4(packed, chunk.unpacked);
    return compression == "zstd" ? unpacked_by_zstd(packed, chunk.unpacked) : packed.size();
}

class Destruction {
public:
    Destruction(const std::string& compression, std::uint64_t frames, std::size_t chunk_bytes)
        : compression_(compression),
          whole_(scene_file(folder_ / "whole.mcap", compression, frames, chunk_bytes)),
          chunks_(chunks_of(whole_)),
          messages_(messages_in(folder_ / "whole.mcap"))
    {
        REQUIRE(chunks_.size() > 2);
    }

    [[nodiscard]] const std::string& whole() const { return whole_; }
    [[nodiscard]] const std::vector<ChunkPlace>& chunks() const { return chunks_; }

    /// The messages that damage in [from, to) of the records of a chunk must leave; a cut leaves nothing behind it.
    [[nodiscard]] std::vector<std::string> wanted(std::size_t hit, std::size_t from, std::size_t to, bool cut) const
    {
        std::vector<std::string> all;
        for (std::size_t i = 0; i != chunks_.size() && !(cut && i > hit); ++i) {
            const bool damaged = i == hit;
            const auto front = damaged ? in_front(compression_, whole_, chunks_[i], from) : 0;
            for (const auto& message : chunks_[i].messages) {
                const bool behind = compression_ == "none" && !cut && message.from >= to - chunks_[i].records;
                if (!damaged || message.to <= front || behind) all.push_back(message.payload);
            }
        }
        return all;
    }

    std::vector<std::string> recover(const std::string& broken)
    {
        write_file(folder_ / "broken.mcap", broken);
        RecoverOptions options;
        options.write.overwrite = true;
        options.write.sync = false;
        result_ = recover_trace(folder_ / "broken.mcap", folder_ / "saved.mcap", options);
        return messages_in(folder_ / "saved.mcap");
    }

    /// All that is wanted came back, and what came back changed is counted.
    void check(const std::string& broken, const std::vector<std::string>& wanted)
    {
        const auto saved = recover(broken);
        CHECK(contains(saved, wanted));
        CHECK((!result_.intact() || saved == messages_));  // a few bits of zstd mean nothing
        CHECK(result_.frames == saved.size());
        const auto changed = std::ranges::count_if(
            saved, [&](const auto& each) { return std::ranges::find(messages_, each) == messages_.end(); });
        CHECK(static_cast<std::uint64_t>(changed) <= result_.kept_unproven);
        if (!saved.empty()) CHECK(open_stream(folder_ / "saved.mcap")->info().chunk_compression == compression_);
    }
    [[nodiscard]] const RecoverResult& result() const { return result_; }

private:
    ScratchFolder folder_;
    std::string compression_;
    std::string whole_;
    std::vector<ChunkPlace> chunks_;
    std::vector<std::string> messages_;
    RecoverResult result_;
};

void destroy(const std::string& compression, int rounds)
{
    Destruction destruction(compression, 60, 250'000);
    std::mt19937 random(17);
    for (int round = 0; round < rounds; ++round) {
        const auto hit = random() % destruction.chunks().size();
        const auto& chunk = destruction.chunks()[hit];
        const auto at = chunk.records + random() % (chunk.end - chunk.records);
        auto broken = destruction.whole();
        auto to = at + 1;
        const bool cut = round % 4 == 3;
        switch (round % 4) {
        case 0: broken[at] = static_cast<char>(broken[at] ^ (1 << random() % 8)); break;
        case 1: to = std::min(chunk.end, at + 512); break;
        case 2: to = std::min(chunk.end, at + 4096); break;
        default: broken.resize(at); break;
        }
        if (!cut && to != at + 1)
            std::fill(broken.begin() + static_cast<std::ptrdiff_t>(at),
                      broken.begin() + static_cast<std::ptrdiff_t>(to), '\0');
        if (broken == destruction.whole()) continue;
        INFO(compression << ", round " << round << ", chunk " << hit << " of " << destruction.chunks().size()
                         << ", bytes [" << at << ", " << to << ")");
        destruction.check(broken, destruction.wanted(hit, at, to, cut));
    }
}

}  // namespace

TEST_CASE("damage inside a chunk that is not compressed leaves every message that it does not touch")
{
    destroy("none", test::some_of(60));
}

TEST_CASE("damage inside an lz4 chunk leaves every message in front of it") { destroy("lz4", test::some_of(60)); }

TEST_CASE("damage inside a zstd chunk leaves every message in the blocks in front of it")
{
    destroy("zstd", test::some_of(60));
}

TEST_CASE("damage in the lengths, times, sizes and the CRC of a Chunk record leaves its messages")
{
    for (const auto* compression : {"none", "lz4", "zstd"}) {
        Destruction destruction(compression, 20, 120'000);
        const auto& chunk = destruction.chunks()[1];
        // Opcode and the name of the compression excepted: length of the record, start, end, size, CRC, and the length
        // of the records.
        std::vector<std::size_t> places;
        for (std::size_t at = chunk.offset + 1; at < chunk.offset + 9 + 28; ++at) places.push_back(at);
        for (std::size_t at = chunk.records - 8; at < chunk.records; ++at) places.push_back(at);
        for (const auto at : places) {
            auto broken = destruction.whole();
            broken[at] = static_cast<char>(broken[at] ^ 0x21);
            INFO(compression << ", byte " << at - chunk.offset << " of the record");
            CHECK(contains(destruction.recover(broken), destruction.wanted(~std::size_t{0}, 0, 0, false)));
        }
    }
}

TEST_CASE("bytes that are missing in a chunk, or are too many, cost no message of the next one")
{
    for (const auto* compression : {"none", "lz4", "zstd"}) {
        Destruction destruction(compression, 60, 250'000);
        const auto& chunk = destruction.chunks()[1];
        const auto at = chunk.records + (chunk.end - chunk.records) / 2;
        auto missing = destruction.whole(), added = destruction.whole();
        missing.erase(at, 700);
        added.insert(at, 700, '\0');
        INFO(compression);
        CHECK(contains(destruction.recover(missing), destruction.wanted(1, at, chunk.end, false)));
        CHECK(contains(destruction.recover(added), destruction.wanted(1, at, chunk.end, false)));
    }
}

TEST_CASE("a record whose length is too large by one costs no message, and neither does a wrong magic")
{
    Destruction destruction("lz4", 20, 120'000);
    const auto& whole = destruction.whole();
    mcap::RecordWalker walker(bytes_of(whole).subspan(mcap::magic.size()));
    std::size_t data_end = 0;
    for (mcap::RawRecord record; walker.next(record) && data_end == 0;) {
        const auto at = static_cast<std::size_t>(record.offset) + mcap::magic.size();
        if (record.opcode == mcap::Opcode::data_end) data_end = at;
        if (record.opcode == mcap::Opcode::data_end || record.opcode == mcap::Opcode::chunk) continue;
        auto broken = whole;
        ++broken[at + 1];
        INFO("the record at byte " << at);
        CHECK(destruction.recover(broken).size() == 20);
        CHECK_FALSE(destruction.result().intact());
    }
    auto magic = whole;
    magic[0] = '\x88';
    CHECK(destruction.recover(magic).size() == 20);
    CHECK(destruction.result().lost_bytes != 0);
    CHECK(destruction.recover(whole.substr(0, data_end) + whole.substr(data_end + 13)).size() == 20);
    CHECK_FALSE(destruction.result().intact());
}

TEST_CASE("a schema or a channel that is damaged in a chunk is taken from the summary")
{
    Destruction destruction("none", 20, 120'000);
    const auto& chunk = destruction.chunks()[0];
    const auto declared = chunk.messages.front().from;
    REQUIRE(declared > 1000);
    for (std::size_t at = 0; at < declared; at += at < 50 || at + 300 > declared ? 1 : 4001) {
        INFO("byte " << at << " of " << declared);
        auto broken = destruction.whole();
        broken[chunk.records + at] = static_cast<char>(broken[chunk.records + at] ^ 0x21);
        CHECK(destruction.recover(broken).size() == 20);
    }
}

TEST_CASE("a wrong CRC alone loses nothing, and what no checksum vouches for is counted")
{
    Destruction destruction("none", 20, 120'000);
    const auto& chunk = destruction.chunks()[1];
    auto broken = destruction.whole();
    broken[chunk.offset + 9 + 24] = static_cast<char>(broken[chunk.offset + 9 + 24] ^ 1);
    const auto saved = destruction.recover(broken);
    CHECK(saved.size() == 20);
    CHECK(destruction.result().losses == 1);
    CHECK(destruction.result().lost_bytes == 0);
    CHECK(destruction.result().kept_unproven == chunk.messages.size());
}

TEST_CASE("a foreign message of a damaged chunk is not kept, since nothing proves it")
{
    mcap::FileOptions options;
    options.chunk_bytes = 1000;
    auto file = mcap_file::write({{1, 10, std::string(100, 'x')}, {1, 20, std::string(100, 'y')}}, options);
    const auto at = file.find("yyyy");
    REQUIRE(at != std::string::npos);
    file[at] = 'z';
    const ScratchFolder folder;
    write_file(folder / "in.mcap", file);
    const auto result = recover_trace(folder / "in.mcap", folder / "out.mcap");
    CHECK(result.frames == 0);
    CHECK(result.kept_unproven == 0);
    CHECK(result.losses == 1);
}

namespace {

struct Recovered {
    std::vector<std::string> messages;
    RecoverResult result;
};

/// Of a file by hand, whose channel `gt` has no schema.
Recovered recovered(const std::string& records)
{
    const ScratchFolder folder;
    write_file(folder / "in.mcap", mcap_bytes::file(records));
    RecoverOptions options;
    options.open.type = MessageType::ground_truth;
    Recovered recovered{{}, recover_trace(folder / "in.mcap", folder / "out.mcap", options)};
    recovered.messages = messages_in(folder / "out.mcap");
    return recovered;
}

const std::string gt_channel = mcap_bytes::channel(1, 0, "gt", "protobuf");

}  // namespace

TEST_CASE("intact messages with fields that the schema does not know come back, also where no checksum proves them")
{
    const auto payload = [](std::uint8_t seconds) { return ground_truth(seconds, 100) + "\xf8\xf0\x04\x01"; };
    const auto messages = mcap_bytes::message(1, 1, payload(1)) + mcap_bytes::message(1, 2, payload(2));
    for (const auto& records : {messages, mcap_bytes::chunk(messages, "", messages.size(), 0, 1, 2)}) {
        const auto saved = recovered(gt_channel + records);
        CHECK(saved.messages == std::vector{payload(1), payload(2)});
        CHECK(saved.result.losses == 0);
    }
}

TEST_CASE("a damaged message in a chunk without a checksum is told, and all others come back, foreign ones too")
{
    const auto bad = ground_truth(2).substr(0, 2) + std::string(100, '\0');
    const auto messages = mcap_bytes::message(1, 1, ground_truth(1)) + mcap_bytes::message(2, 1, "foreign") +
                          mcap_bytes::message(1, 2, bad) + mcap_bytes::message(1, 3, ground_truth(3)) +
                          mcap_bytes::message(2, 3, "too");
    const auto saved = recovered(gt_channel + mcap_bytes::channel(2, 0, "f") +
                                 mcap_bytes::chunk(messages, "", messages.size(), 0, 1, 3));
    CHECK(saved.messages == std::vector<std::string>{ground_truth(1), "foreign", ground_truth(3), "too"});
    REQUIRE(saved.result.losses == 1);
    CHECK(saved.result.lost[0].error.reason() == "field number 0, expected 1 to 536870911");
    CHECK(saved.result.lost_bytes >= bad.size());
}

TEST_CASE("a file that begins again ends the search, however little of the second file there is")
{
    const ScratchFolder folder;
    const auto whole = scene_file(folder / "whole.mcap", "lz4", 3, 1 << 20);
    for (const std::size_t more : {8, 20, 40, 100}) {
        CAPTURE(more);
        write_file(folder / "in.mcap", whole + whole.substr(0, more));
        RecoverOptions options;
        options.write.overwrite = true;
        const auto result = recover_trace(folder / "in.mcap", folder / "out.mcap", options);
        CHECK(result.frames == 3);
        CHECK_FALSE(result.intact());
    }
}

TEST_CASE("a file that ends between two records may have had any number of frames more")
{
    const ScratchFolder folder;
    const auto whole = scene_file(folder / "whole.mcap", "none", 6, 1000);
    std::size_t at = mcap::magic.size();
    std::vector<std::size_t> chunks;  // where they begin
    while (at + mcap::record_prefix_bytes <= whole.size()) {
        const auto prefix = mcap::prefix_at(bytes_of(whole).subspan(at));
        if (prefix.opcode == mcap::Opcode::chunk) chunks.push_back(at);
        if (prefix.opcode == mcap::Opcode::data_end) break;
        at += mcap::record_prefix_bytes + prefix.length;
    }
    REQUIRE(chunks.size() > 2);
    write_file(folder / "in.mcap", whole.substr(0, chunks[2]));
    const auto result = recover_trace(folder / "in.mcap", folder / "out.mcap", {});
    CHECK(result.frames == 2);
    CHECK_FALSE(result.lost_frames.count());
}

TEST_CASE("a chunk that is there twice hides no chunk that is gone")
{
    const auto compression = GENERATE("none", "zstd");
    const ScratchFolder folder;
    const auto file = scene_file(folder / "whole.mcap", compression, 12, 2000);
    const auto chunks = chunks_of(file);
    REQUIRE(chunks.size() > 3);
    const auto of = [&](std::size_t i) {  // with its message indexes
        return file.substr(chunks[i].offset, chunks[i + 1].offset - chunks[i].offset);
    };
    const auto twice = file.substr(0, chunks[1].offset) + of(0) + file.substr(chunks[1].offset);
    write_file(folder / "twice.mcap", twice);
    const auto more = recover_trace(folder / "twice.mcap", folder / "more.mcap", {});
    CHECK(more.lost_frames.count() == 0u);
    const auto damaged = file.substr(0, chunks[1].offset) + of(0) + file.substr(chunks[2].offset);
    write_file(folder / "damaged.mcap", damaged);
    const auto saved = recover_trace(folder / "damaged.mcap", folder / "saved.mcap", {});
    CHECK(saved.lost_frames.count() == chunks[1].messages.size());
    CHECK(saved.frames == 12 - chunks[1].messages.size() + chunks[0].messages.size());
    CHECK_FALSE(error_of([&] {
                    const auto stream = open_stream(folder / "damaged.mcap");
                    for (Frame frame; stream->read(frame);) {
                    }
                    return 0;
                }).empty());
}

TEST_CASE("messages outside of chunks are unconfirmed where the record with their checksum is destroyed")
{
    namespace by_hand = mcap_bytes;
    const ScratchFolder folder;
    const auto data =
        by_hand::front() + by_hand::channel(1, 0, "a") + by_hand::message(1, 1, "one") + by_hand::message(1, 2, "two");
    const auto end = by_hand::record(mcap::Opcode::data_end, by_hand::u32(crc32(bytes_of(data))));
    const auto footer = by_hand::back().substr(end.size());
    for (const auto& wrong : {std::string(end.size(), '\0'), std::string()}) {
        write_file(folder / "in.mcap", data + wrong + footer);
        RecoverOptions options;
        options.write.overwrite = true;
        const auto result = recover_trace(folder / "in.mcap", folder / "out.mcap", options);
        CHECK(result.frames == 2);
        CHECK(result.kept_unproven == 2);
    }
}

TEST_CASE("a chunk that states other times than its messages have is damage through the index, too")
{
    const ScratchFolder folder;
    auto bytes = scene_file(folder / "in.mcap", "lz4", 5, 1 << 20);
    std::size_t at = mcap::magic.size();
    while (mcap::prefix_at(bytes_of(bytes).subspan(at)).opcode != mcap::Opcode::chunk)
        at += mcap::record_prefix_bytes + mcap::prefix_at(bytes_of(bytes).subspan(at)).length;
    bytes[at + mcap::record_prefix_bytes + 5] = 1;  // in the first time
    write_file(folder / "in.mcap", bytes);
    for (const auto& read : {mcap_file::streamed(folder / "in.mcap"), mcap_file::through_index(folder / "in.mcap")})
        CHECK(read.error.find(", and states ") != std::string::npos);
}
