// SPDX-License-Identifier: MPL-2.0
#include "app/bench/size/block_codec.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>

#include <ositrace/error.hpp>

using namespace ositrace;
using namespace ositrace::bench;

namespace {

Block zeros(std::size_t size) { return Block(size); }

/// Cannot be compressed.
Block noise(std::size_t size)
{
    std::mt19937 random(7);
    Block block(size);
    for (auto& byte : block) byte = static_cast<std::byte>(random());
    return block;
}

/// Words in a random order: there is something to find for a compressor that searches.
Block words(std::size_t size)
{
    constexpr std::array<std::string_view, 5> dictionary{"object ", "position ", "orientation ", "base ",
                                                         "identifier "};
    std::mt19937 random(7);
    std::string text;
    while (text.size() < size) text += dictionary[random() % dictionary.size()];
    const auto bytes = bytes_of(text).first(size);
    return {bytes.begin(), bytes.end()};
}

std::size_t compressed_size(const char* codec, const Block& block)
{
    const auto row = std::ranges::find(codecs(), std::string_view(codec), &CodecRow::name);
    REQUIRE(row != codecs().end());
    Block out;
    make_codec(*row)->compress(block, out);
    return out.size();
}

}  // namespace

TEST_CASE("every codec gives each block back, one after the other")
{
    for (const auto& row : codecs()) {
        const auto codec = make_codec(row);
        Block packed;
        for (const auto& block : {zeros(100'000), noise(1), words(5000), noise(70'000), zeros(1)}) {
            INFO(row.name << ", " << block.size() << " bytes");
            codec->compress(block, packed);
            Block again(block.size(), std::byte{0xff});
            codec->decompress(packed, again);
            CHECK(again == block);
        }
    }
}

TEST_CASE("the row without compression copies, the others shorten")
{
    for (const auto& row : codecs()) {
        INFO(row.name);
        Block packed;
        make_codec(row)->compress(zeros(100'000), packed);
        if (row.compression == Compression::none)
            CHECK(packed == zeros(100'000));
        else
            CHECK(packed.size() < 1000);
    }
}

TEST_CASE("a higher level of zstd compresses more")
{
    const auto text = words(50'000);
    CHECK(compressed_size("zstd 9", text) < compressed_size("zstd 3", text));
    CHECK(compressed_size("zstd 3", text) < compressed_size("zstd 1", text));
}

TEST_CASE("a block that is cut off or larger than expected is malformed")
{
    const std::map<Compression, std::string> begins{{Compression::lz4, "lz4 cannot decompress its own block"},
                                                    {Compression::zstd, "zstd: "}};
    const auto block = noise(5000);
    for (const auto& row : codecs()) {
        if (row.compression == Compression::none) continue;
        const auto codec = make_codec(row);
        Block packed;
        codec->compress(block, packed);
        Block out(block.size()), short_out(block.size() - 1);
        const auto error_in = [&](Bytes in, std::span<std::byte> to) -> std::string {
            try {
                codec->decompress(in, to);
            } catch (const Error& error) {
                CHECK(error.cause() == Cause::malformed);
                return error.what();
            }
            return "none";
        };
        INFO(row.name);
        CHECK_THAT(error_in(Bytes(packed).first(packed.size() / 2), out),
                   Catch::Matchers::StartsWith(begins.at(row.compression)));
        CHECK_THAT(error_in(packed, short_out), Catch::Matchers::StartsWith(begins.at(row.compression)));
        CHECK(error_in(packed, out) == "none");  // and it still works
    }
}
