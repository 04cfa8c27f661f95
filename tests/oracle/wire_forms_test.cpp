// SPDX-License-Identifier: MPL-2.0
// Legal Protobuf that no serializer writes must mean what libprotobuf takes it for.
#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>

#include "every_kind_opponent.hpp"
#include "tests/catch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"
#include "tests/oracle/wire_scrambler.hpp"

using namespace oracle;
using ositrace::bytes_of;

namespace {

std::string random_bytes(const RoundTrip& round_trip, std::uint64_t seed, RandomOptions options = {})
{
    const auto message = round_trip.message();
    RandomMessages(seed, options).fill(*message);
    return serialized(*message);
}

RoundTrip of_osi(std::string_view full_name) { return {*ositrace::Schema::built_in(), row_of(full_name)}; }
RoundTrip of_every_kind() { return {*every_kind_schema(), row_of("every_kind.EveryKind")}; }

void check_concatenated(RoundTrip& round_trip, std::uint64_t seed)
{
    std::string bytes;
    for (std::uint64_t part = 0; part < 2 + seed % 3; ++part)
        bytes +=
            random_bytes(round_trip, seed * 10 + part, {.unknown_enum_values = seed % 2 == 0, .max_elements = 300});
    INFO(round_trip.row().full_name << ", seed " << seed << ", " << bytes.size() << " bytes");
    REQUIRE(round_trip.check(bytes_of(bytes)) == "");
}

void check_scrambled(RoundTrip& round_trip, std::uint64_t seed)
{
    const auto canonical = random_bytes(round_trip, seed, {.unknown_fields = seed % 2 == 0, .max_elements = 500});
    const auto bytes = WireScrambler(seed).scrambled(canonical, *round_trip.message()->GetDescriptor());
    INFO(round_trip.row().full_name << ", seed " << seed << ", " << bytes.size() << " bytes");
    REQUIRE(round_trip.parses(bytes_of(bytes)));
    REQUIRE(round_trip.check(bytes_of(bytes)) == "");
}

}  // namespace

TEST_CASE("concatenated messages merge as libprotobuf merges them")
{
    auto every_kind = of_every_kind();
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(rounds(40)); ++seed)
        check_concatenated(every_kind, seed);
    for (const auto& type : ositrace::message_types()) {
        auto round_trip = of_osi(type.full_name);
        for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(rounds(6)); ++seed)
            check_concatenated(round_trip, seed);
    }
}

TEST_CASE("fields out of order, duplicated, split, packed or padded mean what libprotobuf takes them for")
{
    auto every_kind = of_every_kind();
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(rounds(80)); ++seed)
        check_scrambled(every_kind, seed);
    for (const auto& type : ositrace::message_types()) {
        auto round_trip = of_osi(type.full_name);
        for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(rounds(12)); ++seed)
            check_scrambled(round_trip, seed);
    }
}

TEST_CASE("single oddities of the wire are read as libprotobuf reads them")
{
    using namespace std::string_literals;
    static const std::pair<const char*, std::string> cases[] = {
        {"an empty message", ""},
        {"the last of two scalars wins", "\x28\x01\x28\x02"s},
        {"a varint of ten bytes in an int32 keeps its low bits", "\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s},
        {"a uint32 keeps the low 32 bits", "\x68\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s},
        {"bits above the 64th are dropped", "\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"s},
        {"any varint but zero is true", "\x40\x80\x02"s},
        {"a bool of ten bytes that is zero is false", "\x40\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"s},
        {"a known field with another wire type is unknown", "\x2d\x01\x02\x03\x04"s},
        {"a string field with the wire type of a varint is unknown", "\x48\x05"s},
        {"a message field with the wire type of a varint is unknown", "\xc0\x01\x05"s},
        {"a group is an unknown field", "\xf3\x3f\x08\x01\xf4\x3f"s},
        {"a group in the place of a message is an unknown field", "\xc3\x01\x08\x01\xc4\x01"s},
        {"groups nest", "\xf3\x3f\xf3\x3f\xf4\x3f\xf4\x3f"s},
        {"an empty packed field adds nothing", "\xca\x0c\x00"s},
        {"a packed field in two pieces is joined", "\xea\x0c\x01\x05\xea\x0c\x02\x06\x07"s},
        {"packed and unpacked elements keep their order", "\xc8\x06\x01\xca\x06\x02\x02\x03\xc8\x06\x04"s},
        {"an empty submessage is present", "\xc2\x01\x00"s},
        {"a submessage in two pieces is merged", "\xc2\x01\x02\x10\x01\xc2\x01\x03\x1a\x01\x61"s},
        {"a tag of five bytes is a tag", "\xa8\x80\x80\x80\x00\x07"s},
        {"a tag beyond 32 bits is cut to them", "\xa8\x80\x80\x80\x10\x07"s},
        {"a length of five bytes is a length", "\x4a\x81\x80\x80\x80\x00\x61"s},
        {"a string that is not UTF-8 is kept", "\x4a\x02\xff\xfe"s},
        {"enum numbers beyond the schema are kept in order", "\x70\xe8\x07"s},
        {"a negative enum number takes ten bytes", "\xb0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s},
        {"an enum number is cut to 32 bits", "\xb0\x01\x81\x80\x80\x80\x10"s},
    };
    for (const auto& [fact, bytes] : cases) {
        auto round_trip = of_every_kind();
        INFO(fact);
        REQUIRE(round_trip.parses(bytes_of(bytes)));
        CHECK(round_trip.check(bytes_of(bytes)) == "");
    }
}

TEST_CASE("bytes that libprotobuf refuses are refused")
{
    using namespace std::string_literals;
    static const std::pair<const char*, std::string> cases[] = {
        {"a tag without a value", "\x28"s},
        {"a varint without an end", "\x28\x80"s},
        {"a varint of eleven bytes", "\x28\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s},
        {"a tag of six bytes", "\xa8\x80\x80\x80\x80\x00\x07"s},
        {"field number zero", "\x00\x01"s},
        {"field number zero with a length", "\x02\x00"s},
        {"wire type six", "\x2e\x01"s},
        {"wire type seven", "\x2f\x01"s},
        {"the end of a group that has not begun", "\xf4\x3f"s},
        {"the end of a group inside a submessage", "\xc2\x01\x02\xf4\x3f"s},
        {"a group without an end", "\xf3\x3f\x08\x01"s},
        {"a group that another number ends", "\xf3\x3f\xfc\x3f"s},
        {"a length beyond the end", "\x4a\x05\x61"s},
        {"a length of 2^31", "\x4a\x80\x80\x80\x80\x08"s},
        {"a length of 2^64 - 1", "\x4a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s},
        {"a submessage that ends inside a field", "\xc2\x01\x01\x10\x01"s},
        {"a submessage that ends inside a double", "\xc2\x01\x05\x09\x00\x00\x00\x00\x00\x00\x00\x00"s},
        {"packed doubles of seven bytes", "\xca\x0c\x07\x00\x00\x00\x00\x00\x00\x00"s},
        {"packed varints that end inside one", "\xea\x0c\x02\x05\x80"s},
        {"a packed varint of eleven bytes", "\xea\x0c\x0b\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s},
        {"a fixed32 of three bytes", "\x3d\x01\x02\x03"s},
        {"a fixed64 of seven bytes", "\x31\x01\x02\x03\x04\x05\x06\x07"s},
    };
    for (const auto& [fact, bytes] : cases) {
        auto round_trip = of_every_kind();
        INFO(fact);
        CHECK(!round_trip.parses(bytes_of(bytes)));
        CHECK_THROWS_AS(round_trip.to_flat(bytes_of(bytes)), ositrace::Error);
    }
}

TEST_CASE("messages nest as deep as libprotobuf goes, and no deeper")
{
    auto round_trip = of_every_kind();
    const auto nested = [](int depth) {
        std::string bytes;
        for (int level = 0; level < depth; ++level) {
            std::string outer = "\x9a\x01";
            for (auto size = bytes.size();; size >>= 7) {
                outer.push_back(static_cast<char>(size < 0x80 ? size : size | 0x80));
                if (size < 0x80) break;
            }
            bytes = outer + bytes;
        }
        return bytes;
    };
    for (int depth = 90; depth < 110; ++depth) {
        const auto bytes = nested(depth);
        INFO(depth << " levels below the root");
        if (round_trip.parses(bytes_of(bytes)))
            CHECK(round_trip.check(bytes_of(bytes)) == "");
        else
            CHECK_THROWS_AS(round_trip.to_flat(bytes_of(bytes)), ositrace::Error);
    }
}
