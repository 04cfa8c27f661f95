// SPDX-License-Identifier: MPL-2.0
// check and recover say the same of a damaged MCAP file.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/recover.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

using trace_by_hand::McapFile;

/// Kinds of findings that say that a file is damaged, the first of a file; empty: none.
std::string damage_of(const std::filesystem::path& file)
{
    constexpr std::array kinds{"mcap.valid_file",    "mcap.data_crc",      "mcap.summary_crc",
                               "mcap.chunk_index",   "mcap.chunk_times",   "mcap.statistics",
                               "mcap.message_index", "mcap.chunk_content", "mcap.data_end_is_last"};
    for (const auto& finding : check_trace(file).findings) {
        const auto kind = finding.id.substr(finding.id.rfind(':') + 1);
        if (std::ranges::find(kinds, kind) != kinds.end()) return kind;
    }
    return {};
}

/// What check and recover say.
struct Verdict {
    std::string damage;
    bool intact;
    std::uint64_t frames, unproven, lost;
};

Verdict verdict_of(const std::string& bytes)
{
    const ScratchFolder folder;
    write_file(folder / "a.mcap", bytes);
    RecoverOptions options;
    options.write.sync = false;
    const auto recovered = recover_trace(folder / "a.mcap", folder / "saved.mcap", options);
    return {damage_of(folder / "a.mcap"), recovered.intact(), recovered.frames, recovered.kept_unproven,
            recovered.lost_frames.count().value_or(0)};
}

std::size_t place_of(const std::string& bytes, mcap::Opcode opcode)
{
    mcap::RecordWalker records(bytes_of(bytes).subspan(mcap::magic.size()));
    for (mcap::RawRecord record; records.next(record);)
        if (record.opcode == opcode) return static_cast<std::size_t>(record.offset) + mcap::magic.size();
    FAIL("no such record");
    return 0;
}

/// The error of a conversion, and with skip_bad_frames the frames that are lost.
struct Conversion {
    std::string error;
    std::uint64_t lost = 0;
};

Conversion conversion_of(const std::string& bytes)
{
    const ScratchFolder folder;
    write_file(folder / "a.mcap", bytes);
    Conversion result;
    const auto read = [&](const OpenOptions& options) {
        const auto source = open_stream(folder / "a.mcap", options);
        for (Frame frame; source->read(frame);) {
        }
    };
    try {
        read({});
    } catch (const Error& error) {
        result.error = error.reason();
    }
    OpenOptions skipping;
    skipping.skip_bad_frames = true;
    skipping.on_skip = [&](const SkippedBytes& skipped) { result.lost += skipped.frames; };
    read(skipping);
    return result;
}

std::string with(std::string bytes, std::size_t place, const std::string& other)
{
    return bytes.replace(place, other.size(), other);
}

}  // namespace

TEST_CASE("recover calls an MCAP file intact only where check finds no damage")
{
    McapFile file;
    CHECK(verdict_of(file.bytes()).damage.empty());
    CHECK(verdict_of(file.bytes()).intact);

    SECTION("a chunk length of 2^63 - 1")
    {
        const auto bytes = file.bytes();
        const auto length = place_of(bytes, mcap::Opcode::chunk) + 1;
        const auto verdict = verdict_of(with(bytes, length, mcap_bytes::u64(~std::uint64_t{0} >> 1)));
        CHECK(verdict.damage == "mcap.valid_file");
        CHECK_FALSE(verdict.intact);
        CHECK(verdict.frames == 2);
    }
    SECTION("log times that contradict the message index, without a checksum")
    {
        file.indexed = 2;
        const auto bytes = file.bytes();
        REQUIRE(verdict_of(bytes).intact);
        const auto first_time =
            place_of(bytes, mcap::Opcode::message_index) + mcap::record_prefix_bytes + mcap::message_index_front_bytes;
        const auto verdict = verdict_of(with(bytes, first_time, mcap_bytes::u64(1)));
        CHECK(verdict.damage == "mcap.message_index");
        CHECK_FALSE(verdict.intact);
    }
    SECTION("log times that contradict those of the chunk")
    {
        file.wrong_end = 1;
        CHECK(verdict_of(file.bytes()).damage == "mcap.chunk_times");
        CHECK_FALSE(verdict_of(file.bytes()).intact);
    }
    SECTION("a schema in a chunk that differs from that in the summary")
    {
        auto bytes = file.bytes();
        bytes.at(bytes.rfind("osi3.GroundTruth") + 5) = 'H';
        CHECK(verdict_of(bytes).damage == "mcap.valid_file");
        CHECK_FALSE(verdict_of(bytes).intact);
    }
    SECTION("wrong statistics")
    {
        file.counted = 99;
        CHECK(verdict_of(file.bytes()).damage == "mcap.statistics");
        CHECK_FALSE(verdict_of(file.bytes()).intact);
    }
    SECTION("without chunks: a destroyed schema record, or a topic that contradicts the summary")
    {
        file.chunked = false;
        const auto bytes = file.bytes();
        REQUIRE(verdict_of(bytes).intact);
        const auto schema = verdict_of(with(bytes, place_of(bytes, mcap::Opcode::schema), std::string(40, '\0')));
        CHECK(schema.damage == "mcap.valid_file");
        CHECK_FALSE(schema.intact);
        CHECK(schema.frames == 2);
        const auto channel = place_of(bytes, mcap::Opcode::channel);
        const auto topic = verdict_of(with(bytes, bytes.find("truth", channel), "truce"));
        CHECK(topic.damage == "mcap.valid_file");
        CHECK_FALSE(topic.intact);
    }
}

TEST_CASE("messages that an index or the Statistics list and the file lacks are lost for every verb")
{
    McapFile file;
    file.indexed = 2;
    SECTION("a chunk of zeros contradicts its message index") { file.counted = 2; }
    SECTION("without Statistics, too") { file.counted = std::nullopt; }
    const auto bytes = file.bytes();
    const auto chunk = place_of(bytes, mcap::Opcode::chunk), end = place_of(bytes, mcap::Opcode::message_index);
    const auto content = chunk + mcap::record_prefix_bytes;
    const auto zeroed = with(bytes, content, std::string(end - content, '\0'));
    CHECK(conversion_of(zeroed).error == "number of messages in a chunk: found 0, its message index lists 2");
    CHECK(conversion_of(zeroed).lost == 2);
    CHECK(verdict_of(zeroed).damage == "mcap.message_index");
    CHECK(verdict_of(zeroed).lost == 2);

    const auto removed = bytes.substr(0, chunk) + bytes.substr(end);
    CHECK(conversion_of(removed).error == "number of messages in a chunk: found 0, its message index lists 2");
    CHECK(conversion_of(removed).lost == 2);
    CHECK(verdict_of(removed).lost == 2);
}

TEST_CASE("a file with other messages than its Statistics state is damaged for every verb")
{
    McapFile file;
    file.counted = 2;
    const auto bytes = file.bytes();
    const auto chunk = place_of(bytes, mcap::Opcode::chunk), end = place_of(bytes, mcap::Opcode::data_end);
    const auto removed = bytes.substr(0, chunk) + bytes.substr(end);
    CHECK(conversion_of(removed).error == "number of messages: found 0, the Statistics record lists 2");
    CHECK(conversion_of(removed).lost == 2);
    CHECK(verdict_of(removed).lost == 2);
    const auto doubled = bytes.substr(0, end) + bytes.substr(chunk);
    CHECK(conversion_of(doubled).error == "number of messages: found 4, the Statistics record lists 2");
    CHECK(conversion_of(doubled).lost == 0);
    CHECK_FALSE(verdict_of(doubled).intact);
}

TEST_CASE("frames of a truncated MCAP file without chunks are reported as not confirmed by a checksum")
{
    McapFile file;
    file.chunked = false;
    const auto bytes = file.bytes();
    const auto verdict = verdict_of(bytes.substr(0, place_of(bytes, mcap::Opcode::data_end) - 10));
    CHECK(verdict.damage == "mcap.valid_file");
    CHECK_FALSE(verdict.intact);
    CHECK(verdict.frames == 1);
    CHECK(verdict.unproven == 1);
}
