// SPDX-License-Identifier: MPL-2.0
// Chunks are unpacked on threads before they are needed: nothing of that may be seen.
#include <filesystem>
#include <iterator>
#include <string>

#include "tests/catch.hpp"
#include "tests/lib/mcap/mcap_file.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/one_processor.hpp"

using namespace ositrace;

namespace {

constexpr std::size_t messages = 400;

/// Some chunks of some messages, of times that go back where chunks `overlap`.
std::string many_chunks(std::string_view compression, bool overlap)
{
    mcap::FileOptions options;
    options.compression = &mcap::chunk_compression(compression, {});
    options.chunk_bytes = 1000;
    options.threads = 2;
    std::vector<mcap_file::Message> all;
    for (std::size_t i = 0; i != messages; ++i) {
        const auto time = overlap && i % 20 == 0 && i != 0 ? i - 15 : i;
        all.push_back({static_cast<std::uint16_t>(1 + i % 2), time, std::to_string(i) + std::string(50 + i % 7, 'x')});
    }
    // Larger than what is copied into a chunk.
    all.push_back({1, messages, std::string(100'000, 'L')});
    return mcap_file::write(all, options);
}

std::filesystem::path save(const ScratchFolder& folder, const std::string& bytes)
{
    const auto file = folder / "trace.mcap";
    write_file(file, bytes);
    return file;
}

/// A byte of the contents of the tenth chunk.
std::size_t place_in_a_chunk(const std::string& bytes, const std::string& compression)
{
    if (compression == "none") return bytes.find("200x") + 10;
    auto at = bytes.find(compression);
    for (int i = 1; i != 10; ++i) at = bytes.find(compression, at + 1);
    return at + 60;
}

std::unique_ptr<FrameSource> open(bool stream, const std::filesystem::path& file, unsigned threads)
{
    OpenOptions options;
    options.threads = threads;
    if (stream) return open_stream(file, options);
    return open_trace(file, options)->reader();
}

struct Outcome {
    std::vector<std::string> lines;
    std::string error;
};

Outcome read(bool stream, const std::filesystem::path& file, unsigned threads)
{
    Outcome outcome;
    try {
        const auto source = open(stream, file, threads);
        for (Frame frame; source->read(frame);) outcome.lines.push_back(mcap_file::line_of(frame, source->info()));
    } catch (const Error& error) {
        outcome.error = error.reason() + " at frame " + std::to_string(error.where().frame.value_or(9999)) + ", byte " +
                        std::to_string(error.where().offset.value_or(0));
    }
    return outcome;
}

std::ptrdiff_t threads_of_this_process()
{
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

}  // namespace

TEST_CASE("with one processor the reading thread unpacks, and no thread is started")
{
    const auto compression = GENERATE("none", "lz4", "zstd");
    const bool stream = GENERATE(true, false);
    const ScratchFolder folder;
    auto bytes = many_chunks(compression, true);
    const auto whole = save(folder, bytes);
    const auto expected = read(stream, whole, 2);
    {
        const OneProcessor one;
        const auto before = threads_of_this_process();
        const auto source = open(stream, whole, 2);
        Outcome outcome;
        for (Frame frame; source->read(frame);) {
            outcome.lines.push_back(mcap_file::line_of(frame, source->info()));
            if (outcome.lines.size() == messages / 2) CHECK(threads_of_this_process() == before);
        }
        CHECK(outcome.lines == expected.lines);
    }
    bytes[place_in_a_chunk(bytes, compression)] ^= 0x55;
    const auto damaged = save(folder, bytes);
    const auto with_threads = read(stream, damaged, 2);
    const OneProcessor one;
    const auto alone = read(stream, damaged, 2);
    CHECK(alone.lines == with_threads.lines);
    CHECK(alone.error == with_threads.error);
    CHECK(!alone.error.empty());
}

TEST_CASE("every frame comes in order, whatever the number of threads that unpack")
{
    const auto compression = GENERATE("none", "lz4", "zstd");
    const auto overlap = GENERATE(false, true);
    const ScratchFolder folder;
    const auto file = save(folder, many_chunks(compression, overlap));
    const bool stream = GENERATE(true, false);
    const auto one = read(stream, file, 1);
    CHECK(one.error.empty());
    CHECK(one.lines.size() == messages + 1);
    CHECK(one.lines.back().size() > 100'000);
    for (const auto threads : {2u, 5u}) {
        const auto more = read(stream, file, threads);
        CHECK(more.lines == one.lines);
        CHECK(more.error.empty());
    }
}

TEST_CASE("a chunk that is damaged ends the frames in front of it, with its place")
{
    const auto compression = GENERATE("none", "lz4", "zstd");
    const ScratchFolder folder;
    auto bytes = many_chunks(compression, false);
    bytes[place_in_a_chunk(bytes, compression)] ^= 0x55;
    const auto file = save(folder, bytes);
    const bool stream = GENERATE(true, false);
    const auto one = read(stream, file, 1);
    CHECK(!one.error.empty());
    CHECK(one.lines.size() < messages);
    CHECK(one.error.find("at frame " + std::to_string(one.lines.size()) + ", byte ") != std::string::npos);
    for (const auto threads : {2u, 5u}) {
        const auto more = read(stream, file, threads);
        CHECK(more.lines == one.lines);
        CHECK(more.error == one.error);
    }
}

TEST_CASE("a file that was cut off gives every whole chunk, then says where it ends")
{
    const ScratchFolder folder;
    const auto bytes = many_chunks("lz4", false);
    for (const auto part : {bytes.size() / 3, bytes.size() / 2, bytes.size() * 2 / 3}) {
        const auto file = save(folder, bytes.substr(0, part));
        const auto one = read(true, file, 1);
        CHECK(!one.lines.empty());
        CHECK(one.error.find("the file is truncated: it ends in ") == 0);
        CHECK(one.error.find("at frame " + std::to_string(one.lines.size()) + ", byte ") != std::string::npos);
        const auto more = read(true, file, 5);
        CHECK(more.lines == one.lines);
        CHECK(more.error == one.error);
    }
}

TEST_CASE("a reader that seeks while chunks are being unpacked goes on from there")
{
    const ScratchFolder folder;
    const auto file = save(folder, many_chunks("zstd", false));
    OpenOptions options;
    options.threads = 3;
    const auto reader = open_trace(file, options)->reader();
    Frame frame;
    for (const std::uint64_t i : {0u, 250u, 10u, 399u, 120u}) {
        reader->seek_frame(i);
        REQUIRE(reader->read(frame));
        CHECK(frame.index == i);
        CHECK(text_of(frame.bytes).starts_with(std::to_string(i) + "x"));
    }
}
