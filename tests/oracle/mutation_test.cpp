// SPDX-License-Identifier: MPL-2.0
// Broken bytes of both encodings: accepted, refused and understood as libprotobuf and the Verifier do.
#include <algorithm>

#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>

#include "tests/catch.hpp"
#include "tests/oracle/mutation.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"

using namespace oracle;
using ositrace::bytes_of;

namespace {

std::vector<std::byte> copy_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

std::vector<std::byte> random_bytes(const RoundTrip& round_trip, std::uint64_t seed)
{
    const auto message = round_trip.message();
    RandomMessages(seed, {.unknown_fields = true, .max_elements = 60}).fill(*message);
    return copy_of(bytes_of(serialized(*message)));
}

void check_protobuf(RoundTrip& round_trip, std::uint64_t seed)
{
    auto bytes = random_bytes(round_trip, seed);
    Mutation(seed).apply(bytes);
    INFO(round_trip.row().full_name << ", seed " << seed << ", " << bytes.size() << " bytes");
    if (round_trip.parses(bytes))
        REQUIRE(round_trip.check(bytes) == "");
    else
        REQUIRE_THROWS_AS(round_trip.to_flat(bytes), ositrace::Error);
}

/// What the Verifier accepts and we refuse, and why.
constexpr std::pair<std::string_view, std::string_view> flat_differences[] = {
    {"a vtable of an impossible length",
     "the Verifier lets a vtable be shorter than the two lengths it begins with; no builder writes one"},
    {"a table leaves the buffer", "the Verifier does not look at the length of a table that its vtable states"},
    {"a vtable for a table of an impossible length", "likewise: shorter than the four bytes that every table has"},
    {"an offset leads outside of the buffer",
     "only an offset of zero: the Verifier takes the element of a vector for a table in its own place"},
};

bool is_known_difference(const ositrace::Error& error, Bytes flat)
{
    const auto known = [&](const auto& difference) { return error.reason().starts_with(difference.first); };
    if (std::ranges::none_of(flat_differences, known)) return false;
    return !error.reason().starts_with(flat_differences[3].first) ||
           ositrace::load_le32(flat.data() + error.where().offset.value()) == 0;
}

/// What we make of a buffer that may be broken: empty when that is right.
std::string judge(RoundTrip& round_trip, Bytes flat)
{
    const auto verified = round_trip.verifies(flat);
    try {
        if (verified) return round_trip.check_flat(flat);
        round_trip.to_proto(flat);
    } catch (const ositrace::Error& error) {
        if (verified && !is_known_difference(error, flat)) return std::string("refused here only: ") + error.what();
    }
    return {};
}

/// The Verifier also checks what cannot hurt a reader that takes nothing on trust, so we may accept what it refuses.
/// What it accepts we accept, but for the differences above, and read as flatc's accessors do.
void check_flat(RoundTrip& round_trip, std::uint64_t seed)
{
    auto bytes = copy_of(round_trip.to_flat(random_bytes(round_trip, seed)));
    Mutation(seed).apply(bytes);
    INFO(round_trip.row().full_name << ", seed " << seed << ", " << bytes.size() << " bytes");
    REQUIRE(judge(round_trip, bytes) == "");
}

template <class Check>
void check_all_types(int rounds_each, const Check& check)
{
    const auto run = [&](const ositrace::Schema& schema, std::string_view name, int times) {
        RoundTrip round_trip(schema, row_of(name));
        for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(times); ++seed) check(round_trip, seed);
    };
    run(*every_kind_schema(), "every_kind.EveryKind", rounds(rounds_each * 8));
    run(*every_kind_schema(), "every_kind.Leaf", rounds(rounds_each * 8));
    for (const auto& type : ositrace::message_types())
        run(*ositrace::Schema::built_in(), type.full_name, rounds(rounds_each));
}

}  // namespace

TEST_CASE("mutated Protobuf is accepted, refused and understood as by libprotobuf")
{
    check_all_types(60, check_protobuf);
}

TEST_CASE("a mutated FlatBuffer that the Verifier accepts is read as flatc's accessors read it")
{
    check_all_types(60, check_flat);
}
