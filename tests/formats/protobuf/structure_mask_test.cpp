// SPDX-License-Identifier: MPL-2.0
// The comparisons in wide registers against those in narrow ones, and both against a loop over bytes.
#include <random>
#include <vector>

#include "formats/flatbuffers/table_mask.hpp"
#include "formats/protobuf/structure_mask.hpp"
#include "formats/protobuf/wire.hpp"
#include "tests/catch.hpp"

using namespace ositrace;

namespace {

std::vector<std::byte> random_bytes(std::mt19937& random, std::size_t size)
{
    std::vector<std::byte> bytes(size);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

}  // namespace

TEST_CASE("an element matches its structure until one of the bits in it changes, in registers of any width")
{
    std::mt19937 random(1);
    for (std::size_t size = 1; size != 150; ++size) {
        auto element = random_bytes(random, size);
        auto mask = random_bytes(random, size);
        for (std::size_t i = 0; i != size; ++i)
            if (random() % 3 == 0) mask[i] = std::byte{0};
        const StructureMask structure(element, mask);
        const auto matches = [&] {
            const bool narrow = structure.matches_narrow(element.data());
            CHECK((!structure.has_wide() || structure.matches_wide(element.data()) == narrow));
            CHECK(structure.leading(element.data(), 0, 17) == (narrow ? 17 : 0));
            return narrow;
        };
        CHECK(matches());
        for (std::size_t bit = 0; bit != 8 * size; ++bit) {
            const auto flip = std::byte{1} << (bit % 8);
            element[bit / 8] ^= flip;
            CHECK(matches() == ((mask[bit / 8] & flip) == std::byte{0}));
            element[bit / 8] ^= flip;
        }
    }
}

TEST_CASE("of elements that follow each other those before the first other one match")
{
    std::mt19937 random(2);
    for (const std::size_t size : {7, 16, 20, 31, 32, 33, 90}) {
        const auto element = random_bytes(random, size);
        const std::vector<std::byte> mask(size, std::byte{0x80});
        const StructureMask structure(element, mask);
        for (std::size_t other = 0; other != 40; ++other) {
            std::vector<std::byte> elements;
            for (int i = 0; i != 40; ++i) elements.insert(elements.end(), element.begin(), element.end());
            elements[other * size + other % size] ^= std::byte{0x80};
            CHECK(structure.leading(elements.data(), size, 40) == other);
            CHECK(structure.leading(elements.data(), size, other) == other);
        }
    }
}

TEST_CASE("a table matches wherever it is, until a word of its structure changes, in registers of any width")
{
    std::mt19937 random(3);
    for (std::uint32_t words = 8; words != 40; ++words) {
        auto table = random_bytes(random, std::size_t{4} * words);
        flat::TableMask mask(4 * words);
        std::vector<int> kinds;  // 0: anything, 1: a word, 2: an offset to a vtable
        const auto load_word = [&](std::uint32_t word) { return load_le32(table.data() + 4 * std::size_t{word}); };
        for (std::uint32_t word = 0; word != words; ++word) {
            kinds.push_back(word + 1 == words ? 1 : static_cast<int>(random() % 3));
            if (kinds.back() == 1) mask.expect(4 * word, load_word(word));
            if (kinds.back() == 2) mask.expect_soffset(4 * word, load_word(word));
        }
        for (const std::uint32_t position : {0u, 8u, 0x7fff'0000u}) {
            auto moved = table;
            for (std::uint32_t word = 0; word != words; ++word)
                if (kinds[word] == 2) store_le32(moved.data() + 4 * std::size_t{word}, load_word(word) + position);
            const auto matches = [&] {
                const bool narrow = mask.matches_narrow(moved.data(), position);
                CHECK((!mask.has_wide() || mask.matches_wide(moved.data(), position) == narrow));
                return narrow;
            };
            CHECK(matches());
            for (std::uint32_t word = 0; word != words; ++word) {
                moved[4 * std::size_t{word} + 3] ^= std::byte{1};
                CHECK(matches() == (kinds[word] == 0));
                moved[4 * std::size_t{word} + 3] ^= std::byte{1};
            }
        }
    }
}

TEST_CASE("a varint of known length is read and written as any varint")
{
    std::mt19937_64 random(4);
    for (int bits = 0; bits != 65; ++bits)
        for (int i = 0; i != 50; ++i) {
            const auto value = bits == 0 ? 0 : random() >> (64 - bits);
            std::byte expected[10]{}, written[10]{};
            const auto length = static_cast<std::uint32_t>(wire::write_varint(expected, value) - expected);
            write_known_varint(written, value, length);
            CHECK(std::equal(expected, expected + 10, written));
            CHECK(read_known_varint(expected, length) == value);
            if (length == 2) CHECK(read_varint_of_two(expected) == value);
        }
}
