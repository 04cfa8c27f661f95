// SPDX-License-Identifier: MPL-2.0
// One damaged file, one verdict: a recovery, a stream and a trace that skip damage have the same frames and losses.
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/convert.hpp>
#include <ositrace/recover.hpp>

#include "lib/io/compressor.hpp"
#include "tests/catch.hpp"
#include "tests/lib/scene_messages.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/lib/text_sink.hpp"
#include "tests/stride.hpp"

using namespace ositrace;

namespace {

struct Place {
    std::optional<std::uint64_t> frame;
    std::uint64_t offset;
    std::uint64_t bytes;
    std::uint64_t frames;
    std::uint64_t kept;
    bool compressed;
    std::string why;
    friend bool operator==(const Place&, const Place&) = default;
};

[[maybe_unused]] std::ostream& operator<<(std::ostream& out, const Place& place)
{
    return out << "before frame " << place.frame.value_or(0) << " at byte " << place.offset
               << (place.compressed ? " (compressed): " : ": ") << place.bytes << " bytes, " << place.frames
               << " frames, " << place.kept << " kept: " << place.why;
}

Place place_of(const SkippedBytes& skipped)
{
    return {skipped.frame, skipped.offset,     skipped.bytes,         skipped.frames,
            skipped.kept,  skipped.compressed, skipped.error.reason()};
}

struct Verdict {
    std::vector<std::string> frames;
    std::vector<Place> places;
    std::string failure;
    friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// What `read` finds, or why it fails.
Verdict verdict_of(const auto& read)
{
    Verdict verdict;
    try {
        read(verdict);
    } catch (const Error& error) {
        verdict = {.frames = {}, .places = {}, .failure = error.reason()};
    }
    return verdict;
}

OpenOptions skipping(Verdict& verdict)
{
    OpenOptions options;
    options.skip_bad_frames = true;
    options.on_skip = [&](const SkippedBytes& skipped) { verdict.places.push_back(place_of(skipped)); };
    return options;
}

Verdict by_stream(const std::filesystem::path& file)
{
    return verdict_of([&](Verdict& verdict) {
        const auto source = open_stream(file, skipping(verdict));
        std::uint64_t number = 0;
        for (Frame frame; source->read(frame); ++number) {
            CHECK(frame.index == number);
            verdict.frames.emplace_back(text_of(frame.bytes));
        }
    });
}

Verdict by_trace(const std::filesystem::path& file)
{
    return verdict_of([&](Verdict& verdict) {
        const auto trace = open_trace(file, skipping(verdict));
        const auto count = trace->frame_count();
        for (std::uint64_t i = 0; i != count; ++i) verdict.frames.emplace_back(text_of(trace->frame(0, i).bytes));
    });
}

Verdict by_recovery(const std::filesystem::path& file, const std::filesystem::path& saved)
{
    return verdict_of([&](Verdict& verdict) {
        RecoverOptions options;
        options.write.overwrite = true;
        options.write.sync = false;
        const auto result = recover_trace(file, saved, options);
        for (const auto& lost : result.lost) verdict.places.push_back(place_of(lost));
        // Not opened: a few strange frames may fit several types.
        const auto bytes = read_file(saved);
        for (std::size_t at = 0; at < bytes.size();) {
            const auto length = load_le32(reinterpret_cast<const std::byte*>(bytes.data()) + at);
            verdict.frames.push_back(bytes.substr(at + 4, length));
            at += 4 + length;
        }
    });
}

std::uint64_t frames_that_check_reads(const std::filesystem::path& file)
{
    const auto result = check_trace(file);
    // It reads messages that cannot be decoded, too, and reports them.
    std::uint64_t undecodable = 0;
    for (const auto& kind : result.counts)
        if (kind.id.ends_with("deserialization.possible")) undecodable += kind.count;
    return result.frames - undecodable;
}

std::string trace_of(Encoding encoding, std::uint64_t frames)
{
    SceneOptions options;
    options.type = MessageType::sensor_view;
    options.frames = frames;
    options.moving_objects = 2;
    options.reflections = 20;
    options.static_data = StaticData::first_frame;
    return framed(scene_messages(options, encoding));
}

std::string compressed(const CompressorRow& row, const std::string& bytes)
{
    TextSink sink;
    const auto compressor = row.create(sink, {});
    compressor->write(bytes_of(bytes));
    compressor->finish();
    return sink.text;
}

/// A few bytes overwritten, removed or inserted, at 1 to 4 places.
std::string damaged(std::string bytes, std::mt19937& random)
{
    const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
    for (auto places = 1 + below(4); places != 0; --places) {
        const auto at = below(bytes.size());
        const auto size = std::min(bytes.size() - at, 1 + below(below(2) == 0 ? 16 : 3000));
        switch (below(5)) {
        case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
        case 1: bytes.erase(at, size); break;
        case 2: std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, '\0'); break;
        case 3: bytes.insert(at, size, static_cast<char>(random())); break;
        default:
            if (at > bytes.size() / 2) bytes.resize(at);
        }
        if (bytes.empty()) bytes = "x";
    }
    return bytes;
}

void compare(const std::filesystem::path& file, const std::filesystem::path& saved, bool checks)
{
    const auto stream = by_stream(file);
    CHECK(by_trace(file) == stream);
    CHECK(by_recovery(file, saved) == stream);
    if (checks && stream.failure.empty()) CHECK(frames_that_check_reads(file) == stream.frames.size());
}

}  // namespace

TEST_CASE("recovery, stream and trace have one verdict on a damaged file, compressed or not")
{
    const auto encoding = GENERATE(Encoding::protobuf, Encoding::flatbuffers);
    const std::string extension = encoding == Encoding::protobuf ? ".osi" : ".osifb";
    const auto whole = trace_of(encoding, 8);
    const ScratchFolder folder;
    std::mt19937 random(23);
    for (int round = 0; round < test::some_of(60); ++round) {
        INFO("round " << round);
        write_file(folder / ("in" + extension), damaged(whole, random));
        compare(folder / ("in" + extension), folder / ("out" + extension), true);
        for (const auto& row : compressors()) {
            INFO(row.compression);
            const auto name = "packed" + extension;
            write_file(folder / name, damaged(compressed(row, whole), random));
            compare(folder / name, folder / ("out" + extension), false);
        }
    }
}
