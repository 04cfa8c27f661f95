// SPDX-License-Identifier: MPL-2.0
#include <set>

#include "tests/catch.hpp"
#include "tests/lib/scene/decoded.hpp"

using namespace ositrace;
using namespace decoded;

namespace {

using Ids = std::set<std::uint64_t>;

Ids ids_of(const Node& truth, std::string_view field)
{
    Ids ids;
    for (const auto& thing : truth.all(field)) CHECK(ids.insert(thing.id("id")).second);
    return ids;
}

void check_all_in(const std::vector<std::uint64_t>& references, const Ids& ids)
{
    for (const auto id : references) CHECK(ids.contains(id));
}

}  // namespace

TEST_CASE("ids are unique over all kinds of things")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.moving_objects = GENERATE(0u, 12u, 20'000u);
    const SceneFrame frame(Scene(options), 7);
    Ids all;
    std::size_t count = 0;
    for (const auto* field :
         {"stationary_object", "moving_object", "traffic_sign", "traffic_light", "road_marking", "lane_boundary",
          "lane", "occupant", "reference_line", "logical_lane_boundary", "logical_lane"}) {
        const auto ids = ids_of(frame.root(), field);
        CHECK_FALSE(ids.empty());
        count += ids.size();
        all.insert(ids.begin(), ids.end());
    }
    CHECK(all.size() == count);
}

TEST_CASE("the host is a moving object")
{
    const SceneFrame frame(Scene({}), 0);
    const auto truth = frame.ground_truth();
    const auto moving = ids_of(truth, "moving_object");
    CHECK(moving.contains(truth.id("host_vehicle_id")));
    CHECK(frame.root().id("host_vehicle_id") == truth.id("host_vehicle_id"));
    CHECK(frame.root()["host_vehicle_data"].id("host_vehicle_id") == truth.id("host_vehicle_id"));
    const auto host = truth.all("moving_object").at(0);
    CHECK(host.id("id") == truth.id("host_vehicle_id"));
    CHECK(ids_of(truth, "occupant").contains(host["vehicle_attributes"].id("driver_id")));
}

TEST_CASE("lanes refer to lanes and boundaries that exist")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const SceneFrame frame(Scene(options), 0);
    const auto& truth = frame.root();
    const auto lanes = ids_of(truth, "lane"), boundaries = ids_of(truth, "lane_boundary");
    for (const auto& lane : truth.all("lane")) {
        const auto classification = lane["classification"];
        check_all_in(classification.ids("left_adjacent_lane_id"), lanes);
        check_all_in(classification.ids("right_adjacent_lane_id"), lanes);
        REQUIRE(classification.ids("left_lane_boundary_id").size() == 1);
        check_all_in(classification.ids("left_lane_boundary_id"), boundaries);
        check_all_in(classification.ids("right_lane_boundary_id"), boundaries);
        for (const auto& pairing : classification.all("lane_pairing")) {
            CHECK(lanes.contains(pairing.id("antecessor_lane_id")));
            CHECK(lanes.contains(pairing.id("successor_lane_id")));
        }
    }
}

TEST_CASE("logical lanes refer to what exists")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const SceneFrame frame(Scene(options), 0);
    const auto& truth = frame.root();
    const auto logical = ids_of(truth, "logical_lane"), boundaries = ids_of(truth, "logical_lane_boundary");
    const auto lines = ids_of(truth, "reference_line");
    for (const auto& boundary : truth.all("logical_lane_boundary")) {
        CHECK(lines.contains(boundary.id("reference_line_id")));
        check_all_in(boundary.ids("physical_boundary_id"), ids_of(truth, "lane_boundary"));
    }
    for (const auto& lane : truth.all("logical_lane")) {
        CHECK(lines.contains(lane.id("reference_line_id")));
        check_all_in(lane.ids("left_boundary_id"), boundaries);
        check_all_in(lane.ids("right_boundary_id"), boundaries);
        for (const auto& physical : lane.all("physical_lane_reference"))
            CHECK(ids_of(truth, "lane").contains(physical.id("physical_lane_id")));
        for (const auto* field : {"left_adjacent_lane", "right_adjacent_lane", "predecessor_lane", "successor_lane"}) {
            for (const auto& other : lane.all(field)) CHECK(logical.contains(other.id("other_lane_id")));
        }
    }
}

TEST_CASE("signs, lights, markings and road users are assigned to lanes that exist")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const Scene scene(options);
    for (const std::uint64_t i : {0, 50, 400}) {
        const SceneFrame frame(scene, i);
        const auto& truth = frame.root();
        const auto lanes = ids_of(truth, "lane"), logical = ids_of(truth, "logical_lane");
        for (const auto& sign : truth.all("traffic_sign"))
            check_all_in(sign["main_sign"]["classification"].ids("assigned_lane_id"), lanes);
        for (const auto& light : truth.all("traffic_light"))
            check_all_in(light["classification"].ids("assigned_lane_id"), lanes);
        for (const auto& marking : truth.all("road_marking"))
            check_all_in(marking["classification"].ids("assigned_lane_id"), lanes);
        std::size_t assigned = 0;
        for (const auto& object : truth.all("moving_object")) {
            const auto classification = object["moving_object_classification"];
            if (!classification) continue;
            ++assigned;
            const auto ids = classification.ids("assigned_lane_id");
            check_all_in(ids, lanes);
            CHECK(classification.reals("assigned_lane_percentage").size() == ids.size());
            for (const auto& lane : classification.all("logical_lane_assignment"))
                CHECK(logical.contains(lane.id("assigned_lane_id")));
        }
        CHECK(assigned == options.moving_objects);  // all but the dog, and the host
    }
}

TEST_CASE("the host's lane is marked, and it is the lane the host is assigned to")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const Scene scene(options);
    for (std::uint64_t i = 0; i < 500; i += 50) {
        const SceneFrame frame(scene, i);
        const auto host = frame.root().all("moving_object").at(0);
        std::vector<std::uint64_t> marked;
        for (const auto& lane : frame.root().all("lane")) {
            if (lane["classification"].number("is_host_vehicle_lane") != 0) marked.push_back(lane.id("id"));
        }
        CHECK(marked == host["moving_object_classification"].ids("assigned_lane_id"));
    }
}
