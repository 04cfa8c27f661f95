// SPDX-License-Identifier: MPL-2.0
#include "lib/io/windowed_input.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace ositrace;

namespace {

constexpr std::size_t window_mebibyte = std::size_t{1} << 20;

/// Counts up, byte by byte, to an end that it may keep to itself.
class CountingSource final : public ByteSource {
public:
    CountingSource(std::uint64_t end, bool end_known) : end_(end), end_known_(end_known) {}
    std::size_t read(std::span<std::byte> into, std::stop_token) override
    {
        largest_room = std::max(largest_room, into.size());
        ++reads;
        const auto count = std::min<std::size_t>(into.size(), end_ - position_);
        for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<std::byte>((position_ + i) % 251);
        position_ += count;
        return count;
    }
    const std::filesystem::path& name() const noexcept override { return name_; }
    std::optional<std::uint64_t> end() const override { return end_known_ ? std::optional(end_) : std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return position_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return end(); }

    std::size_t largest_room = 0;
    int reads = 0;

private:
    std::filesystem::path name_ = "counting";
    std::uint64_t end_;
    bool end_known_;
    std::uint64_t position_ = 0;
};

bool counts_from(Bytes bytes, std::uint64_t first)
{
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != static_cast<std::byte>((first + i) % 251)) return false;
    return true;
}

struct Counted {
    CountingSource* source;
    WindowedInput input;
    explicit Counted(std::uint64_t end, bool end_known = true)
        : Counted(std::make_unique<CountingSource>(end, end_known))
    {
    }
    explicit Counted(std::unique_ptr<CountingSource> made) : source(made.get()), input(std::move(made)) {}
};

}  // namespace

TEST_CASE("a window moves over the input in steps of any size")
{
    const auto step = GENERATE(std::size_t{1000}, std::size_t{100'003}, 3 * window_mebibyte + 1);
    Counted counted(20 * window_mebibyte, GENERATE(true, false));
    std::uint64_t at = 0;
    while (at < 20 * window_mebibyte) {
        const auto wanted = std::min<std::uint64_t>(step, 20 * window_mebibyte - at);
        const auto bytes = counted.input.ensure(step, {});
        REQUIRE(bytes.size() >= wanted);
        if (!counts_from(bytes.first(wanted), at)) FAIL("wrong bytes at " << at);
        counted.input.consume(wanted);
        at += wanted;
        CHECK(counted.input.offset() == at);
    }
    CHECK(counted.input.ensure(1, {}).empty());
}

TEST_CASE("bytes that are kept stay, whatever is read behind them")
{
    Counted counted(30 * window_mebibyte, GENERATE(true, false));
    struct Kept {
        Bytes bytes;
        std::shared_ptr<const void> owner;
        std::uint64_t offset;
    };
    std::vector<Kept> kept;
    for (std::size_t size = 1;; size = size * 3 + 1) {
        const auto bytes = counted.input.ensure(size, {});
        if (bytes.size() < size) break;
        kept.push_back({bytes.first(size), counted.input.owner(), counted.input.offset()});
        counted.input.consume(size);
    }
    CHECK(kept.size() > 10);
    for (const auto& k : kept) CHECK(counts_from(k.bytes, k.offset));
}

TEST_CASE("a large request is read into a block of its own, with what is wanted behind it")
{
    Counted counted(100 * window_mebibyte);
    counted.input.ensure(4, {});
    counted.input.consume(4);
    for (int i = 0; i < 4; ++i) {
        const auto before = counted.input.offset();
        const auto bytes = counted.input.ensure(20 * window_mebibyte, {}, 4);
        CHECK(bytes.size() == 20 * window_mebibyte + 4);
        CHECK(counts_from(bytes.last(4), before + 20 * window_mebibyte));
        counted.input.consume(20 * window_mebibyte);
    }
    CHECK(counted.source->reads == 5);
}

TEST_CASE("a few bytes after a large request need no second block")
{
    Counted counted(100 * window_mebibyte);
    const auto* const data = counted.input.ensure(20 * window_mebibyte, {}).data();
    const auto bytes = counted.input.ensure(21 * window_mebibyte, {});
    CHECK(bytes.data() == data);
    CHECK(bytes.size() >= 21 * window_mebibyte);
    CHECK(counts_from(bytes, 0));
    const auto owner = counted.input.owner();
    CHECK(counted.input.ensure(22 * window_mebibyte, {}).data() != data);
}

TEST_CASE("a length that nothing confirms gets memory as bytes arrive")
{
    Counted counted(10 * window_mebibyte, false);
    CHECK(counted.input.ensure(std::size_t{4} << 30, {}).size() == 10 * window_mebibyte);
    CHECK(counted.source->largest_room <= 16 * window_mebibyte);
}

TEST_CASE("released blocks are lent again")
{
    BufferPool pool;
    const auto* const first = pool.take(window_mebibyte)->data();
    const auto again = pool.take(window_mebibyte - 1000);
    CHECK(again->data() == first);
    const auto other = pool.take(window_mebibyte);
    CHECK(other->data() != first);
}

TEST_CASE("a block outlives its pool")
{
    std::shared_ptr<Block> block;
    {
        BufferPool pool;
        block = pool.take(100);
    }
    std::fill_n(block->data(), 100, std::byte{1});
}
