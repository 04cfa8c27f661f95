// SPDX-License-Identifier: MPL-2.0
#include <string>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/record_parser.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;
using namespace std::string_literals;

namespace {

std::string number(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i != bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}

std::string text(const std::string& contents) { return number(contents.size(), 4) + contents; }

/// Bit by bit, as the definition says.
std::uint32_t slow_crc32(std::string_view bytes)
{
    std::uint32_t crc = ~0u;
    for (const auto byte : bytes) {
        crc ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit != 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb8'8320u : 0u);
    }
    return ~crc;
}

}  // namespace

TEST_CASE("CRC-32 is that of IEEE 802.3 at every length, in one piece or in two")
{
    CHECK(crc32(bytes_of("123456789")) == 0xcbf4'3926u);
    CHECK(crc32({}) == 0);
    CHECK(crc32_joined(crc32(bytes_of("12345")), crc32(bytes_of("6789")), 4) == 0xcbf4'3926u);
    CHECK(crc32_joined(7, 0, 0) == 7);
    std::string bytes;
    for (int i = 0; i != 300; ++i) {
        INFO(i);
        CHECK(crc32(bytes_of(bytes)) == slow_crc32(bytes));
        const auto half = bytes.size() / 2;
        CHECK(crc32(bytes_of(bytes).subspan(half), crc32(bytes_of(bytes).first(half))) == slow_crc32(bytes));
        bytes += static_cast<char>(i * 37 + 11);
    }
}

TEST_CASE("records are walked, unknown opcodes too")
{
    const auto bytes = "\x05"s + number(3, 8) + "abc" + "\x93"s + number(0, 8);
    mcap::RecordWalker walker(bytes_of(bytes));
    mcap::RawRecord record;
    REQUIRE(walker.next(record));
    CHECK(record.opcode == mcap::Opcode::message);
    CHECK(text_of(record.content) == "abc");
    CHECK(record.end() == 12);
    REQUIRE(walker.next(record));
    CHECK(mcap::name_of(record.opcode) == "of opcode 0x93");
    CHECK(record.offset == 12);
    CHECK(!walker.next(record));
}

TEST_CASE("a record longer than its bytes names record, length and what is left")
{
    const auto error = [](const std::string& bytes) {
        return error_of([&] {
            mcap::RecordWalker walker(bytes_of(bytes));
            mcap::RawRecord record;
            while (walker.next(record)) {
            }
            return 0;
        });
    };
    CHECK(error("\x06"s + number(~std::uint64_t{0}, 8) + "abc") ==
          "byte 0: the record Chunk announces 18446744073709551615 bytes, and 3 are left");
    CHECK(error("\x06"s + number(0, 8) + "abc") ==
          "byte 9: a record begins 3 bytes before the end, expected 9 bytes of opcode and length");
}

TEST_CASE("a field longer than its record names record and field")
{
    CHECK(error_of([] { return mcap::parse_message(bytes_of("abc")); }) ==
          "byte 2: the Message record is too short for its field sequence: it needs 4 bytes, and 1 is left");
    const auto schema = number(1, 2) + text("name") + number(1u << 31, 4) + "x";
    CHECK(error_of([&] { return mcap::parse_schema(bytes_of(schema)); }) ==
          "byte 14: the Schema record is too short for its field encoding: it needs 2147483648 bytes, and 1 is left");
    const auto channel = number(1, 2) + number(0, 2) + text("") + text("") + number(9, 4) + text("a") + number(9, 4);
    CHECK(error_of([&] { return mcap::parse_channel(bytes_of(channel)); }) ==
          "byte 25: the Channel record is too short for its field metadata: it needs 9 bytes, and 0 are left");
}

TEST_CASE("bytes behind the known fields of a record are ignored, between its lists they are none")
{
    const auto record =
        number(7, 2) + number(3, 2) + text("t") + text("e") + number(10, 4) + text("k") + text("v") + "more";
    const auto channel = mcap::parse_channel(bytes_of(record));
    CHECK(channel.id == 7);
    CHECK(channel.schema_id == 3);
    CHECK(channel.topic == "t");
    CHECK(channel.metadata == mcap::StringPairs{{"k", "v"}});
    const auto index =
        mcap::parse_message_index(bytes_of(number(7, 2) + number(16, 4) + number(5, 8) + number(6, 8) + "x"));
    CHECK(index.records == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{5, 6}});
    CHECK(error_of([] {
              return mcap::parse_message_index(bytes_of(number(7, 2) + number(15, 4) + std::string(15, 'x')));
          }) == "byte 6: the list of a MessageIndex record has 15 bytes, expected a multiple of 16");
}

TEST_CASE("another version of MCAP is refused by its number")
{
    CHECK(error_of([] {
              mcap::check_magic(bytes_of("\x89MCAP1\r\n"));
              return 0;
          }) == "byte 0: MCAP version '1', this program reads version '0'");
    CHECK(error_of([] {
              mcap::check_magic(bytes_of("\x89MCAP0\n\n\n"));
              return 0;
          }) == "byte 0: does not begin with the magic of MCAP");
    CHECK(error_of([] {
              mcap::check_magic(bytes_of("\x89MC"));
              return 0;
          }) == "byte 0: does not begin with the magic of MCAP");
}
