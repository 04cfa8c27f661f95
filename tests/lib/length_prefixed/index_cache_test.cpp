// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/index_cache.hpp"

#include <algorithm>
#include <cstdlib>

#include "lib/io/input_file.hpp"
#include "lib/length_prefixed/length_prefixed_trace.hpp"
#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/lib/trace/sample_frames.hpp"

using namespace ositrace;
using sample::frames;

namespace {

struct CacheFixture {
    ScratchFolder folder;
    std::filesystem::path trace = folder / "run.osi";
    std::filesystem::path cache = folder / "cache";

    CacheFixture() { write_file(trace, frames(5000)); }

    [[nodiscard]] FileAccess file() const { return {open_for_reading(trace), trace}; }
    [[nodiscard]] CompleteIndex walk() const
    {
        const auto opened = file();
        TraceIndex index(opened, {});
        REQUIRE(index.frame_count() == 5000);
        return index.take_if_walked_for({}).value();
    }
    [[nodiscard]] std::optional<CompleteIndex> load() const { return load_index(cache, file()); }
    void store() const { store_index(cache, file(), walk()); }
    [[nodiscard]] std::filesystem::path kept() const { return std::filesystem::directory_iterator(cache)->path(); }
};

/// Bytes that are no file, with a version.
class Object final : public RandomAccess {
public:
    Object(std::string bytes, std::string version)
        : RandomAccess("store/run.osi", bytes.size()), bytes_(std::move(bytes)), version_(std::move(version))
    {
    }
    [[nodiscard]] std::string version() const override { return version_; }

private:
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override
    {
        std::ranges::copy(bytes_of(bytes_).subspan(offset, into.size()), into.begin());
        return into.size();
    }

    std::string bytes_;
    std::string version_;
};

}  // namespace

TEST_CASE_METHOD(CacheFixture, "the index of bytes that are no file is kept by their version")
{
    const auto bytes = read_file(trace);
    store_index(cache, Object(bytes, "1"), walk());
    CHECK(load_index(cache, Object(bytes, "1")));
    CHECK_FALSE(load_index(cache, Object(bytes, "2")));
}

TEST_CASE_METHOD(CacheFixture, "an index is kept and found again")
{
    CHECK_FALSE(load());
    store();
    const auto loaded = load();
    REQUIRE(loaded);
    CHECK(loaded->frames == 5000);
    CHECK(loaded->marks == walk().marks);
    const auto opened = file();
    TraceIndex index(opened, {}, loaded);
    CHECK(index.frame_count() == 5000);
    for (const std::uint64_t i : {0u, 1u, 1024u, 4999u}) {
        TraceIndex fresh(opened, {});
        CHECK(index.find(i)->offset == fresh.find(i)->offset);
    }
    CHECK_FALSE(index.find(5000));
}

TEST_CASE_METHOD(CacheFixture, "marks stand at most 1024 frames apart")
{
    const auto index = walk();
    REQUIRE(index.marks.size() > 4);
    CHECK(index.marks[0] == IndexMark{});
    for (std::size_t i = 1; i < index.marks.size(); ++i) CHECK(index.marks[i].frame - index.marks[i - 1].frame <= 1024);
}

TEST_CASE_METHOD(CacheFixture, "an index of other contents is not used")
{
    store();
    const auto contents = read_file(trace);
    const auto changed = std::filesystem::last_write_time(trace);
    SECTION("when the file has grown") { write_file(trace, contents + sample::framed("")); }
    SECTION("when it was written again") { std::filesystem::last_write_time(trace, changed + std::chrono::seconds(1)); }
    SECTION("when its head has changed behind the clock's back")
    {
        auto other = contents;
        other[9] ^= 1;
        write_file(trace, other);
        std::filesystem::last_write_time(trace, changed);
    }
    SECTION("when its tail has changed behind the clock's back")
    {
        auto other = contents;
        other[other.size() - 1] ^= 1;
        write_file(trace, other);
        std::filesystem::last_write_time(trace, changed);
    }
    CHECK_FALSE(load());
}

TEST_CASE_METHOD(CacheFixture, "a broken cache is no index")
{
    store();
    auto bytes = read_file(kept());
    SECTION("cut off") { bytes.resize(GENERATE_COPY(0u, 1u, 63u, 64u, 80u, static_cast<unsigned>(bytes.size()) - 1)); }
    SECTION("longer") { bytes += std::string(GENERATE(1u, 16u), '\0'); }
    SECTION("with one bit turned over")
    {
        const auto at = GENERATE_COPY(range(std::size_t{0}, bytes.size(), std::size_t{5}));
        bytes[at] ^= 4;
    }
    write_file(kept(), bytes);
    CHECK_FALSE(load());
}

TEST_CASE_METHOD(CacheFixture, "marks that cannot be are no index, whatever the checksum says")
{
    auto index = walk();
    SECTION("not from the start") { index.marks.erase(index.marks.begin()); }
    SECTION("backward") { std::swap(index.marks[1], index.marks[2]); }
    SECTION("beyond the end of the file") { index.marks.back().offset = std::uint64_t{1} << 60; }
    SECTION("more frames than fit") { index.frames = std::uint64_t{1} << 40; }
    SECTION("none") { index.marks.clear(); }
    store_index(cache, file(), index);
    CHECK_FALSE(load());
}

TEST_CASE_METHOD(CacheFixture, "a cache that cannot be written is no error")
{
    write_file(cache, "a file where the folder should be");
    store();
    CHECK_FALSE(load());
    store_index({}, file(), walk());
    CHECK_FALSE(load_index({}, file()));
}

TEST_CASE_METHOD(CacheFixture, "a trace keeps an index that took long enough, and only that")
{
    const auto open_with = [&](std::chrono::nanoseconds least) {
        TraceInfo info;
        info.channels.resize(1);
        return LengthPrefixedTrace(open_file(trace), info, {.keeping = {cache, least, 0}});
    };
    CHECK(open_with(std::chrono::hours(1)).frame_count(0) == 5000);
    CHECK_FALSE(load());
    CHECK(open_with({}).frame_count(0) == 5000);
    CHECK(load());
    CHECK(open_with({}).frame_count(0) == 5000);
}

TEST_CASE("the cache is where the user's environment says")
{
    const auto* const before = std::getenv("XDG_CACHE_HOME");
    const std::string saved = before == nullptr ? "" : before;
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    CHECK(index_cache_directory() == "/somewhere/ositrace");
    ::setenv("XDG_CACHE_HOME", "relative paths do not count", 1);
    CHECK(index_cache_directory() == std::filesystem::path(std::getenv("HOME")) / ".cache" / "ositrace");
    ::unsetenv("XDG_CACHE_HOME");
    CHECK(index_cache_directory() == std::filesystem::path(std::getenv("HOME")) / ".cache" / "ositrace");
    if (before != nullptr) ::setenv("XDG_CACHE_HOME", saved.c_str(), 1);
}
