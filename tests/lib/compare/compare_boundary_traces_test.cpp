// SPDX-License-Identifier: MPL-2.0
#include <cmath>

#include <ositrace/compare_boundary_traces.hpp>
#include <ositrace/error.hpp>

#include "tests/catch.hpp"
#include "tests/gui/compare/flawed_sensor.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

ComparedChannel lane_side(const std::filesystem::path& file, ObjectSet set = ObjectSet::ground_truth)
{
    return {.trace = open_trace(file), .in_trace = 0, .channel = nullptr, .set = set, .times = nullptr, .shift = {}};
}

}  // namespace

TEST_CASE("lane boundaries over time have their largest error, where and when it is, and those without a partner")
{
    const ScratchFolder scratch;
    const FlawedLanes files(scratch);
    std::size_t calls = 0;
    const auto result =
        compare_boundary_traces(lane_side(files.truth), lane_side(files.detections, ObjectSet::detections), {},
                                [&](const BoundaryTraceComparison& so_far) { calls += so_far.complete ? 0 : 1; });
    CHECK(result.complete);
    CHECK(calls == 20);
    CHECK(result.broken == 0);
    CHECK(result.counts == std::array<std::uint64_t, 2>{40, 41});
    CHECK(result.alone == 3);
    CHECK(result.unmatched == Approx(120).margin(1e-3));
    REQUIRE(result.boundaries.size() == 3);
    const auto& worst = *result.worst();
    CHECK(worst.id == 3);
    CHECK(worst.largest == Approx(0.19));
    CHECK(worst.largest_ahead == Approx(45));
    CHECK(worst.moment == 19);
    CHECK(worst.messages == 20);
    CHECK(worst.mean() == Approx(0.005 * 9.5).margin(1e-3));
    CHECK(result.moments[19].time == 1900ms);
    CHECK(result.moments[19].largest == Approx(0.19));
    const auto& right = result.boundaries[1];
    CHECK(right.id == 4);
    CHECK(right.messages == 20);
    CHECK(right.alone == 3);
    CHECK(right.mean() == Approx(-0.05));
    CHECK(right.mean_absolute() == Approx(0.05));
    CHECK(right.largest == Approx(-0.05));
    REQUIRE(right.samples.size() == 20);
    CHECK(std::isnan(right.samples[6].largest));
    CHECK(right.samples[6].unmatched == Approx(40));
    CHECK(right.samples[8].largest == Approx(-0.05));
    CHECK(result.moments[6].alone == 1);
    const auto& short_lived = result.boundaries[2];
    CHECK(short_lived.id == 9);
    CHECK(short_lived.messages == 1);
    CHECK(short_lived.moment == 9);
    // Over the length in all messages: 3 has the mean 0.005 i, 4 has 0.05 in 17 messages, 9 has none.
    CHECK(result.mean_absolute() == Approx((0.005 * 190 + 17 * 0.05) / (20 + 17 + 1)).margin(1e-3));
}

TEST_CASE("the comparison of lane boundaries over time is bounded and can be stopped")
{
    const ScratchFolder scratch;
    const FlawedLanes files(scratch);
    const auto truth = lane_side(files.truth), detections = lane_side(files.detections, ObjectSet::detections);
    const auto few = compare_boundary_traces(truth, detections, {.boundaries = {}, .tolerance = {}, .max_samples = 2});
    CHECK(!few.samples_are_complete);
    REQUIRE(few.boundaries.size() == 2);
    CHECK(few.boundaries[0].samples.size() + few.boundaries[1].samples.size() == 2);
    CHECK(few.worst()->largest == Approx(0.19));
    CHECK(few.alone == 3);

    std::stop_source stop;
    const auto partial = compare_boundary_traces(
        truth, detections, {},
        [&](const BoundaryTraceComparison& so_far) {
            if (so_far.moments.size() == 5) stop.request_stop();
        },
        stop.get_token());
    CHECK(!partial.complete);
    CHECK(partial.moments.size() == 5);
}

TEST_CASE("have two channels lane boundaries in common?")
{
    const ScratchFolder scratch;
    const FlawedLanes lanes(scratch);
    const FlawedSensor objects(scratch);
    CHECK(have_lane_boundaries(lane_side(lanes.truth), lane_side(lanes.detections, ObjectSet::detections)));
    CHECK(!have_lane_boundaries(lane_side(lanes.truth), lane_side(objects.detections, ObjectSet::detections)));
    CHECK(!have_lane_boundaries(lane_side(objects.truth), lane_side(lanes.detections, ObjectSet::detections)));
    const auto nothing =
        compare_boundary_traces(lane_side(objects.truth), lane_side(objects.detections, ObjectSet::detections), {});
    CHECK(nothing.worst() == nullptr);
    CHECK(std::isnan(nothing.mean_absolute()));
    CHECK_THROWS_AS(static_cast<void>(compare_boundary_traces(lane_side(lanes.truth, ObjectSet::detections),
                                                              lane_side(lanes.detections), {})),
                    Error);
}
