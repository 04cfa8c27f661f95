// SPDX-License-Identifier: MPL-2.0
#include "lib/io/block_pipeline.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace ositrace;

namespace {

std::string text_of_all(const std::vector<Bytes>& parts)
{
    std::string text;
    for (const auto part : parts) text.append(text_of(part)).append("|");
    return text;
}

std::string pieces_of(const GatheredBytes& bytes, std::size_t piece_bytes)
{
    ByteBuffer scratch;
    const auto parts = bytes.parts();
    EqualPieces pieces(parts, piece_bytes, scratch);
    std::string text;
    for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) text.append(text_of(piece)).append("|");
    return text;
}

}  // namespace

TEST_CASE("gathered bytes keep the order of what was copied and what was borrowed")
{
    const auto owner = std::make_shared<const std::string>("BORROWED");
    GatheredBytes bytes;
    bytes.clear(64);
    bytes.own().append(bytes_of("front"));
    bytes.borrow(bytes_of(*owner), owner);
    bytes.own().append(bytes_of("middle"));
    bytes.borrow(bytes_of("static"), nullptr);
    CHECK(bytes.size() == 25);
    CHECK(text_of_all(bytes.parts()) == "front|BORROWED|middle|static|");
    ByteBuffer scratch;
    CHECK(text_of(bytes.joined(scratch)) == "frontBORROWEDmiddlestatic");

    SECTION("an owner is let go by clear()")
    {
        CHECK(owner.use_count() == 2);
        bytes.clear();
        CHECK(owner.use_count() == 1);
        CHECK(bytes.empty());
        CHECK(bytes.parts().empty());
    }
    SECTION("in pieces of any size")
    {
        CHECK(pieces_of(bytes, 100) == "frontBORROWEDmiddlestatic|");
        CHECK(pieces_of(bytes, 25) == "frontBORROWEDmiddlestatic|");
        CHECK(pieces_of(bytes, 10) == "frontBORRO|WEDmiddles|tatic|");
        CHECK(pieces_of(bytes, 5) == "front|BORRO|WEDmi|ddles|tatic|");
    }
}

TEST_CASE("a piece that lies in one part is not copied")
{
    const std::string large(100, 'x');
    GatheredBytes bytes;
    bytes.clear(16);
    bytes.own().append(bytes_of("12"));
    bytes.borrow(bytes_of(large), nullptr);
    ByteBuffer scratch;
    const auto parts = bytes.parts();
    EqualPieces pieces(parts, 10, scratch);
    CHECK(text_of(pieces.next()) == "12xxxxxxxx");
    CHECK(pieces.next().data() == bytes_of(large).data() + 8);
}
