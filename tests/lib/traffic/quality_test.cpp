// SPDX-License-Identifier: MPL-2.0
// The quality of tracks with faults that are known.
#include "tests/catch.hpp"

#include "lib/traffic/quality.hpp"

using namespace ositrace;
using namespace ositrace::traffic;
using Catch::Matchers::WithinAbs;

namespace {

TrafficObject object_at(std::uint64_t id, double x, double speed)
{
    TrafficObject object;
    object.id = id;
    object.type = 2;
    object.position = {x, 0, 0};
    object.velocity = {speed, 0, 0};
    object.velocity_source = MotionSource::stated;
    object.acceleration_source = MotionSource::stated;
    object.has_size = true;
    object.length = 5;
    object.width = 2;
    object.height = 1.5;
    return object;
}

/// Ten frames, 0.1 s apart; `change` edits the objects of each.
std::vector<ObjectQuality> quality_of(const std::function<void(int, std::vector<TrafficObject>&)>& change)
{
    QualityCounter counter({});
    for (int i = 0; i != 10; ++i) {
        TrafficFrame frame;
        frame.index = static_cast<std::uint64_t>(i);
        frame.time = std::chrono::milliseconds(100 * i);
        frame.objects = {object_at(1, i, 10)};
        change(i, frame.objects);
        counter.add(frame);
    }
    return counter.rows();
}

}  // namespace

TEST_CASE("a track without a fault")
{
    const auto rows = quality_of([](int, auto&) {});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].frames == 10);
    CHECK(rows[0].frames_of_channel == 10);
    CHECK(rows[0].last == std::chrono::milliseconds(900));
    CHECK(rows[0].gaps + rows[0].duplicates + rows[0].jumps + rows[0].type_changes + rows[0].size_changes == 0);
    CHECK_THAT(rows[0].greatest_jump.value(), WithinAbs(0, 1e-9));
    CHECK_FALSE(rows[0].becomes);
    CHECK(rows[0].without_lane == 10);
}

TEST_CASE("gaps, duplicates, jumps, changes and missing fields are counted")
{
    const auto rows = quality_of([](int i, std::vector<TrafficObject>& objects) {
        auto& object = objects.front();
        if (i >= 5) object.position[0] += 3;  // one jump
        if (i == 7) object.type = 0;          // there and back
        if (i >= 8) object.length = 6;
        if (i == 9) object.velocity_source = MotionSource::derived;
        if (i == 2) objects.push_back(object_at(1, 100, 0));
        if (i == 3) objects.clear();
    });
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].frames == 9);
    CHECK(rows[0].frames_of_channel == 10);
    CHECK(rows[0].gaps == 1);
    CHECK(rows[0].duplicates == 1);
    CHECK(rows[0].jumps == 1);
    CHECK_THAT(rows[0].greatest_jump.value(), WithinAbs(3, 1e-9));
    CHECK(rows[0].greatest_jump_time == std::chrono::milliseconds(500));
    CHECK(rows[0].type_changes == 2);
    CHECK(rows[0].size_changes == 1);
    CHECK(rows[0].without_type == 1);
    CHECK(rows[0].without_velocity == 1);
}

TEST_CASE("an object that goes on under another id")
{
    const auto rows = quality_of([](int i, std::vector<TrafficObject>& objects) {
        if (i >= 4) objects.front().id = 9;
        if (i >= 4) objects.push_back(object_at(8, 40, 0));  // elsewhere
    });
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].becomes == 9);
    CHECK_FALSE(rows[1].becomes);
    CHECK_FALSE(rows[2].becomes);
}
