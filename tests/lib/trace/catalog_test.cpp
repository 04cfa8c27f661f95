// SPDX-License-Identifier: MPL-2.0
#include <atomic>
#include <filesystem>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/catalog.hpp>
#include <ositrace/convert.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_summary.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

/// Counts what is read of a file.
class Counted final : public RandomAccess {
public:
    explicit Counted(std::shared_ptr<const RandomAccess> file)
        : RandomAccess(file->name(), file->size()), file_(std::move(file))
    {
    }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override
    {
        bytes_ += into.size();
        return file_->read_at(offset, into);
    }

    std::shared_ptr<const RandomAccess> file_;
    mutable std::atomic<std::uint64_t> bytes_{0};
};

/// Writes a trace of 200 frames, of 20 MB.
std::filesystem::path write_trace(const std::filesystem::path& file)
{
    SceneOptions options;
    options.frames = 200;
    options.moving_objects = 5;
    options.reflections = 8000;
    SceneSource scene(options, 1);
    WriteOptions write;
    write.sync = false;
    const auto writer = create_trace(file, scene.info(), write);
    static_cast<void>(convert(scene, *writer, {}));
    writer->close();
    return file;
}

std::uint64_t summary_bytes(const std::filesystem::path& file)
{
    const auto contents = read_file(file);
    const auto footer = contents.size() - 8 - 20;
    return contents.size() - load_le64(bytes_of(contents).data() + footer);
}

}  // namespace

TEST_CASE("a catalog reads the summary of an MCAP file and the chunks of its first and last frame")
{
    const ScratchFolder folder;
    const auto file = write_trace(folder / "a.mcap");
    const auto counted = std::make_shared<Counted>(open_file(file));
    const auto entry = catalog_entry(*open_trace(counted));
    CHECK(counted->bytes() <= summary_bytes(file) + 2 * (std::uint64_t{4} << 20));
    CHECK(counted->bytes() < counted->size() / 2);
    REQUIRE(entry.channels.size() == 1);
    const auto& row = entry.channels.front();
    CHECK(row.frames == 200);
    CHECK((row.times == TimeBounds{Nanoseconds(0), Nanoseconds(19'900'000'000)}));
    CHECK(row.rate_hz == Approx(10));
    REQUIRE(row.osi_versions.size() == 1);
    CHECK(row.osi_versions.front().to_string() == "3.8.0");
    CHECK_FALSE(row.host);
    CHECK_FALSE(row.bounds);
    CHECK_FALSE(entry.damage);
    REQUIRE_FALSE(entry.places.empty());
    CHECK(entry.places.front().time == Nanoseconds(0));
    CHECK_FALSE(entry.places.front().frame);
}

TEST_CASE("a catalog reads the lengths, the first and the last message of a length-prefixed file")
{
    const ScratchFolder folder;
    const auto file = write_trace(folder / "a.osi");
    const auto counted = std::make_shared<Counted>(open_file(file));
    const auto entry = catalog_entry(*open_trace(counted));
    CHECK(counted->bytes() < counted->size() / 2);
    REQUIRE(entry.channels.size() == 1);
    const auto& row = entry.channels.front();
    const auto summary = summarize(*open_trace(file), {.full = true}).channels.at(0);
    CHECK(row.frames == summary.frames);
    REQUIRE(row.times);
    CHECK(row.times->first == summary.start);
    CHECK(row.times->last == summary.end);
    CHECK(row.rate_hz == summary.rate_hz);
    CHECK(row.osi_versions == summary.osi_versions);
    CHECK(row.host == 1);
    CHECK(row.static_data == true);
    REQUIRE(row.bounds);
    CHECK(row.bounds->x_min < row.bounds->x_max);
    REQUIRE(entry.places.size() >= 2);
    for (const auto& place : entry.places) {
        const auto frame = open_trace(file)->frame(0, *place.frame);
        CHECK(frame.offset == place.offset);
        CHECK(frame.time == place.time);
    }
    CHECK(entry.places[1].offset >= catalog_place_bytes);
}

TEST_CASE("a catalog says where a file breaks, and what stands before it")
{
    const ScratchFolder folder;
    const auto file = write_trace(folder / "a.osi");
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    const auto entry = catalog_entry(*open_trace(file));
    REQUIRE(entry.damage);
    CHECK(entry.damage->find("frame 199 at byte ") != std::string::npos);
    CHECK(entry.channels.at(0).frames == 199);
    CHECK(entry.channels.at(0).times->last == Nanoseconds(19'800'000'000));
}

TEST_CASE("a catalog says that an MCAP file breaks before its first channel")
{
    const ScratchFolder folder;
    const auto file = write_trace(folder / "a.mcap");
    const auto size = std::filesystem::file_size(file);
    for (const std::uint64_t left : {std::uint64_t{60}, std::uint64_t{300}, size / 50}) {
        INFO(left);
        const auto cut = folder / ("cut" + std::to_string(left) + ".mcap");
        std::filesystem::copy_file(file, cut);
        std::filesystem::resize_file(cut, left);
        const auto entry = catalog_entry(*open_trace(cut));
        CHECK(entry.channels.empty());
        REQUIRE(entry.damage);
        CHECK(entry.damage->find("the file is truncated: it ends") != std::string::npos);
    }
}

TEST_CASE("a path states a date and a campaign")
{
    const auto facts = [](const std::filesystem::path& path) {
        const auto [campaign, date] = facts_of_path(path);
        return campaign + "|" + date;
    };
    CHECK(facts("/lake/munich/2024-06-18/run.osi") == "munich|2024-06-18");
    CHECK(facts("/lake/munich/20240618_run/a.osi") == "munich|2024-06-18");
    CHECK(facts("/lake/munich/20240618T122540Z_sv_370_244_20_x.osi") == "munich|2024-06-18");
    CHECK(facts("/lake/2023-01-02/20240618T122540Z_sv.osi") == "lake|2024-06-18");
    CHECK(facts("run.osi") == "|");
    CHECK(facts("/a/20241318/run.osi") == "20241318|");
}
