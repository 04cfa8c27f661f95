// SPDX-License-Identifier: MPL-2.0
#include <lz4frame.h>

#include <algorithm>
#include <random>
#include <string>

#include "lib/io/unpacked_rest.hpp"
#include "tests/catch.hpp"
#include "tests/stride.hpp"

using namespace ositrace;

namespace {

constexpr std::size_t block_bytes = std::size_t{64} << 10;

/// Compressible, and no two places are alike for long.
std::string sample(std::size_t bytes)
{
    std::mt19937 random(3);
    std::string text;
    while (text.size() < bytes)
        text += "object " + std::to_string(random() % 1000) + " at " + std::to_string(text.size()) + '\n';
    text.resize(bytes);
    return text;
}

std::string lz4_frame(const std::string& text, bool independent)
{
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.blockSizeID = LZ4F_max64KB;
    preferences.frameInfo.blockMode = independent ? LZ4F_blockIndependent : LZ4F_blockLinked;
    std::string out(LZ4F_compressFrameBound(text.size(), &preferences), '\0');
    out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(), text.size(), &preferences));
    return out;
}

/// Where the blocks of a frame with a header of 7 bytes begin, behind their sizes.
std::vector<std::size_t> blocks_of(const std::string& frame)
{
    std::vector<std::size_t> starts;
    for (std::size_t at = 7;;) {
        const auto size = load_le32(reinterpret_cast<const std::byte*>(frame.data()) + at) & 0x7fff'ffff;
        if (size == 0) return starts;
        starts.push_back(at + 4);
        at += 4 + size;
    }
}

std::string text_of_rest(const UnpackedRest& rest) { return std::string(text_of(rest.bytes)); }

}  // namespace

TEST_CASE("a whole LZ4 frame comes out of the rest as well")
{
    const auto text = sample(300'000);
    for (const bool independent : {true, false}) {
        const auto rest = unpack_lz4_rest(bytes_of(lz4_frame(text, independent)), text.size());
        CHECK(text_of_rest(rest) == text);
        CHECK(rest.holes.empty());
    }
    CHECK(text_of_rest(unpack_lz4_rest(bytes_of(lz4_frame(text, true)), 1000)) == text.substr(0, 1000));
    CHECK(unpack_lz4_rest(bytes_of("no frame of LZ4 at all"), 1000).bytes.empty());
}

TEST_CASE("an LZ4 frame that is cut off at any byte gives what stands in front of the cut")
{
    const auto text = sample(150'000);
    const auto frame = lz4_frame(text, false);
    std::size_t last = 0;
    constexpr std::size_t step = 7 * test::stride;
    for (std::size_t end = (frame.size() - 1) % step; end < frame.size(); end += step) {
        const auto rest = unpack_lz4_rest(bytes_of(frame).first(end), text.size());
        INFO("cut at " << end);
        REQUIRE(rest.bytes.size() >= last);
        REQUIRE(text.starts_with(text_of_rest(rest)));
        last = rest.bytes.size();
    }
    CHECK(last > text.size() - 100);
}

TEST_CASE("behind a broken block the independent blocks come out, and the hole is known")
{
    const auto text = sample(4 * block_bytes);
    auto frame = lz4_frame(text, true);
    const auto blocks = blocks_of(frame);
    REQUIRE(blocks.size() == 4);
    // An offset of 0 breaks a block for certain: zeros in the middle of it.
    const auto at = (blocks[1] + blocks[2]) / 2;
    std::fill_n(frame.begin() + static_cast<std::ptrdiff_t>(at), 64, '\0');
    const auto rest = unpack_lz4_rest(bytes_of(frame), text.size());
    REQUIRE(rest.bytes.size() == text.size());
    REQUIRE(rest.holes.size() == 1);
    const auto [from, to] = rest.holes.front();
    CHECK(from > block_bytes + block_bytes / 4);
    CHECK(to == 2 * block_bytes);
    CHECK(text_of_rest(rest).substr(0, block_bytes + block_bytes / 4) == text.substr(0, block_bytes + block_bytes / 4));
    CHECK(text_of_rest(rest).substr(to) == text.substr(to));
}

TEST_CASE("linked blocks end with the broken one")
{
    const auto text = sample(4 * block_bytes);
    auto frame = lz4_frame(text, false);
    const auto blocks = blocks_of(frame);
    std::fill_n(frame.begin() + static_cast<std::ptrdiff_t>((blocks[1] + blocks[2]) / 2), 64, '\0');
    const auto rest = unpack_lz4_rest(bytes_of(frame), text.size());
    CHECK(rest.bytes.size() > block_bytes);
    CHECK(rest.bytes.size() < 2 * block_bytes);
    CHECK(rest.holes.empty());
}

TEST_CASE("flipped bits of an LZ4 frame never give more than was asked for")
{
    const auto text = sample(100'000);
    const auto whole = lz4_frame(text, true);
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
        auto frame = whole;
        const auto at = random() % frame.size();
        frame[at] = static_cast<char>(frame[at] ^ (1 << random() % 8));
        const auto rest = unpack_lz4_rest(bytes_of(frame), text.size());
        REQUIRE(rest.bytes.size() <= text.size());
        for (const auto& [from, to] : rest.holes) REQUIRE((from < to && to <= rest.bytes.size()));
    }
}
