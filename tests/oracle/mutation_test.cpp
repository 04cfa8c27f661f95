// SPDX-License-Identifier: MPL-2.0
// Broken bytes of both encodings: accepted, refused and understood as libprotobuf and the Verifier do.
#include <catch2/catch.hpp>

#include <algorithm>

#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>

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

/// What we say of bytes that somebody else has judged; empty when we agree.
template <class Check>
std::string judge(bool accepted_elsewhere, const Check& check)
{
    try {
        auto wrong = check();
        return accepted_elsewhere ? wrong : "accepted here only";
    } catch (const ositrace::Error& error) {
        return accepted_elsewhere ? std::string("refused here only: ") + error.what() : std::string();
    }
}

void check_protobuf(RoundTrip& round_trip, std::uint64_t seed)
{
    auto bytes = random_bytes(round_trip, seed);
    Mutation(seed).apply(bytes);
    INFO(round_trip.row().full_name << ", seed " << seed << ", " << bytes.size() << " bytes");
    const auto accepted = round_trip.parses(bytes);
    REQUIRE(judge(accepted, [&] { return accepted ? round_trip.check(bytes) : (round_trip.to_flat(bytes), std::string()); }) == "");
}

/// What the Verifier accepts and we refuse, and why.
constexpr std::pair<std::string_view, std::string_view> flat_differences[] = {
    {"a vtable of an impossible length", "the Verifier lets a vtable be shorter than the two lengths it begins with; no builder writes one"},
    {"a table leaves the buffer", "the Verifier does not read the length of a table that its vtable states"},
};

bool is_known_difference(std::string_view wrong)
{
    return std::ranges::any_of(flat_differences, [&](const auto& known) { return wrong.ends_with(known.first); });
}

/// The Verifier also checks what cannot hurt a reader that takes nothing on trust, so we may accept what it refuses. What it accepts we
/// accept, but for the differences above, and read as flatc's accessors do.
void check_flat(RoundTrip& round_trip, std::uint64_t seed)
{
    auto bytes = copy_of(round_trip.to_flat(random_bytes(round_trip, seed)));
    Mutation(seed).apply(bytes);
    INFO(round_trip.row().full_name << ", seed " << seed << ", " << bytes.size() << " bytes");
    const auto verified = round_trip.verifies(bytes);
    const auto wrong = judge(true, [&] { return verified ? round_trip.check_flat(bytes) : (round_trip.to_proto(bytes), std::string()); });
    if (verified && !is_known_difference(wrong)) REQUIRE(wrong == "");
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
    for (const auto& type : ositrace::message_types()) run(*ositrace::Schema::built_in(), type.full_name, rounds(rounds_each));
}

}  // namespace

TEST_CASE("mutated Protobuf is accepted, refused and understood as by libprotobuf") { check_all_types(60, check_protobuf); }

TEST_CASE("a mutated FlatBuffer that the Verifier accepts is read as flatc's accessors read it") { check_all_types(60, check_flat); }
