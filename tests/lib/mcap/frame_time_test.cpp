// SPDX-License-Identifier: MPL-2.0
// The time of a large message is read from its front, without the rest of its chunk.
#include <string>

#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

/// Three messages, 0.1 s apart; with very many reflections each fills a chunk of its own.
std::filesystem::path write_lidar(const std::filesystem::path& file, std::uint32_t reflections,
                                  const std::string& compression)
{
    SceneOptions options;
    options.frames = 3;
    options.reflections = reflections;
    SceneSource scene(options, 1);
    const auto writer = create_trace(file, scene.info(), {.chunk_compression = compression});
    for (Frame frame; scene.read(frame);) writer->write(frame);
    writer->close();
    return file;
}

/// A byte in the last quarter of the chunk of message 1.
void damage_second_chunk(const std::filesystem::path& file)
{
    const auto trace = open_trace(file);
    const auto begin = trace->frame(0, 1).offset, end = trace->frame(0, 2).offset;
    auto bytes = read_file(file);
    bytes[static_cast<std::size_t>(end - (end - begin) / 4)] ^= 1;
    write_file(file, bytes);
}

}  // namespace

TEST_CASE("the time of a message is that of the whole message, in large chunks and in small ones")
{
    const auto compression = GENERATE("none", "lz4", "zstd");
    const auto reflections = GENERATE(50u, 250'000u);
    const ScratchFolder folder;
    const auto file = write_lidar(folder / "lidar.mcap", reflections, compression);
    for (std::uint64_t i = 0; i != 3; ++i) {
        const auto time = open_trace(file)->frame_time(0, i);
        CHECK(time == Nanoseconds(100ms) * static_cast<int>(i));
        CHECK(time == open_trace(file)->frame(0, i).time);
    }
}

TEST_CASE("the time of a large message is known without unpacking its chunk")
{
    const auto compression = GENERATE("none", "lz4", "zstd");
    const ScratchFolder folder;
    const auto file = write_lidar(folder / "lidar.mcap", 250'000, compression);
    damage_second_chunk(file);
    const auto trace = open_trace(file);
    CHECK_THROWS_AS(trace->frame(0, 1), Error);
    CHECK(trace->frame_time(0, 1) == Nanoseconds(100ms));
    CHECK(trace->frame_at(0, 150ms) == 1);
}

TEST_CASE("a frame says how much its owner holds")
{
    const ScratchFolder folder;
    const auto together = open_trace(write_lidar(folder / "together.mcap", 50, "lz4"))->frame(0, 0);
    CHECK(together.owner_bytes > 2 * together.bytes.size());
    const auto alone = open_trace(write_lidar(folder / "alone.mcap", 250'000, "lz4"))->frame(0, 0);
    CHECK(alone.owner_bytes > alone.bytes.size());
    CHECK(alone.owner_bytes < alone.bytes.size() + 65'536);
}
