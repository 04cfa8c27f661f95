// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

#include "osi_opponent.hpp"
#include "tests/catch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"

using namespace oracle;
using ositrace::bytes_of;

namespace {

/// Fills and checks `count` messages; the first that fails is reported with its seed.
void check_random(RoundTrip& round_trip, std::uint64_t first_seed, int count, RandomOptions options)
{
    for (auto seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(count); ++seed) {
        const auto message = round_trip.message();
        RandomMessages(seed, options).fill(*message);
        const auto bytes = serialized(*message);
        INFO(round_trip.row().full_name << ", seed " << seed << ", " << bytes.size() << " bytes");
        const auto wrong =
            seed % 8 == 0 ? round_trip.check_thoroughly(bytes_of(bytes)) : round_trip.check(bytes_of(bytes));
        REQUIRE(wrong == "");
        if (options.unknown_fields || options.unknown_enum_values) continue;
        // Canonical bytes come back as they were.
        const auto flat = round_trip.to_flat(bytes_of(bytes));
        const std::vector<std::byte> kept(flat.begin(), flat.end());
        REQUIRE(std::ranges::equal(round_trip.to_proto(kept), bytes_of(bytes)));
    }
}

}  // namespace

TEST_CASE("random messages of all ten types survive both directions to the last bit")
{
    for (const auto& type : ositrace::message_types()) {
        RoundTrip round_trip(*ositrace::Schema::built_in(), row_of(type.full_name));
        check_random(round_trip, 1, rounds(24), {});
    }
}

TEST_CASE("enum numbers that the schema does not know survive")
{
    for (const auto& type : ositrace::message_types()) {
        RoundTrip round_trip(*ositrace::Schema::built_in(), row_of(type.full_name));
        check_random(round_trip, 1000, rounds(8), {.unknown_enum_values = true});
    }
}

TEST_CASE("unknown fields are left out and counted")
{
    for (const auto& type : ositrace::message_types()) {
        RoundTrip round_trip(*ositrace::Schema::built_in(), row_of(type.full_name));
        for (std::uint64_t seed = 2000; seed < 2008; ++seed) {
            const auto message = round_trip.message();
            RandomMessages random(seed, {.unknown_fields = true});
            random.fill(*message);
            const auto bytes = serialized(*message);
            const auto before = round_trip.dropped_unknown_fields();
            round_trip.to_flat(bytes_of(bytes));
            CHECK(round_trip.dropped_unknown_fields() - before == random.unknown_fields());
            REQUIRE(round_trip.check(bytes_of(bytes)) == "");
        }
    }
}

TEST_CASE("every message of OSI converts as a root")
{
    for (const auto& row : opponent::osi::rows()) {
        RoundTrip round_trip(*ositrace::Schema::built_in(), row);
        check_random(round_trip, 3000, rounds(2), {.max_elements = 300});
    }
}

TEST_CASE("every kind of field survives, OSI's or not")
{
    for (const auto* name : {"every_kind.Leaf", "every_kind.EveryKind"}) {
        RoundTrip round_trip(*every_kind_schema(), row_of(name));
        check_random(round_trip, 4000, rounds(40), {});
        check_random(round_trip, 5000, rounds(40), {.unknown_enum_values = true, .unknown_fields = true});
    }
}

TEST_CASE("one pair of transcoders stays right over messages of changing shape")
{
    RoundTrip round_trip(*every_kind_schema(), row_of("every_kind.EveryKind"));
    for (int again = 0; again < 3; ++again) check_random(round_trip, 6000, rounds(20), {.max_depth = 2});
}
