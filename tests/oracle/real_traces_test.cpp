// SPDX-License-Identifier: MPL-2.0
#include <algorithm>

#include "tests/catch.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"
#include "tests/oracle/trace_frames.hpp"
#include "tests/places.hpp"

using namespace oracle;

TEST_CASE("every frame of every real trace verifies, equals field by field and comes back byte-identical")
{
    const auto traces = real_traces();
    if (traces.empty()) WARN("skipped: " << ositrace::test::shared_folder() / "traces" << " is absent");
    for (const auto& trace : traces) {
        RoundTrip round_trip(*ositrace::Schema::built_in(), row_of(trace.type));
        for (std::size_t i = 0; i < trace.frames.size(); ++i) {
            INFO(trace.name << ", frame " << i);
            const Bytes frame = trace.frames[i];
            REQUIRE((i % 32 == 0 ? round_trip.check_thoroughly(frame) : round_trip.check(frame)) == "");
            const auto flat = round_trip.to_flat(frame);
            REQUIRE(std::ranges::equal(round_trip.to_proto(flat), frame));
        }
        CHECK(round_trip.dropped_unknown_fields() == 0);
    }
}
