// SPDX-License-Identifier: MPL-2.0
// Places, pairs and errors computed by hand, and by brute force.
#include <algorithm>
#include <cmath>
#include <random>

#include <ositrace/compare_objects.hpp>

#include "lib/compare/pair_objects.hpp"
#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

constexpr double quarter = scene::pi / 2;

struct Moving {
    std::uint64_t id = 0;
    scene::Vector position;
    double yaw = 0;
    std::optional<scene::Vector> velocity = {};
};

void write_moving(OsiWriter& out, const Moving& object)
{
    out.message("moving_object", [&] {
        out.id("id", object.id);
        out.message("base", [&] {
            out.dimension("dimension", {4, 2, 1.5});
            out.vector("position", object.position);
            out.orientation("orientation", {0, 0, object.yaw});
            if (object.velocity) out.vector("velocity", *object.velocity);
        });
    });
}

Bytestring ground_truth(const std::vector<Moving>& objects, std::uint64_t host = 0)
{
    return written(MessageType::ground_truth, [&](OsiWriter& out) {
        if (host != 0) out.id("host_vehicle_id", host);
        for (const auto& each : objects) write_moving(out, each);
    });
}

/// The host at (100, 200, 0.75) looks to the left (+y), drives at 10 m/s and turns by 0.5 rad/s. Its rear axle is 1.5 m
/// behind and 0.4 m below the centre of its box.
void write_turning_host(OsiWriter& out)
{
    out.message("moving_object", [&] {
        out.id("id", 7);
        out.message("base", [&] {
            out.dimension("dimension", {4, 2, 1.5});
            out.vector("position", {100, 200, 0.75});
            out.orientation("orientation", {0, 0, quarter});
            out.vector("velocity", {0, 10, 0});
            out.orientation("orientation_rate", {0, 0, 0.5});
        });
        out.message("vehicle_attributes", [&] { out.vector("bbcenter_to_rear", {-1.5, 0, -0.4}); });
    });
}

struct Detected {
    std::uint64_t tracking_id = 0;
    std::vector<std::uint64_t> truth_ids;
    scene::Vector position;
    double yaw = 0;
    std::optional<scene::Vector> velocity = {};
    const char* reference_point = nullptr;
};

/// Of a sensor on the rear axle: 2 m forward, 0.5 m left, 1 m up, turned left by 90 degrees.
Bytestring detections(const std::vector<Detected>& objects)
{
    return written(MessageType::sensor_data, [&](OsiWriter& out) {
        out.mounting_position("mounting_position", {2, 0.5, 1}, {0, 0, quarter});
        for (const auto& each : objects)
            out.message("moving_object", [&] {
                out.message("header", [&] {
                    out.id("tracking_id", each.tracking_id);
                    for (const auto id : each.truth_ids) out.id("ground_truth_id", id);
                });
                out.message("base", [&] {
                    out.dimension("dimension", {4, 2, 1});
                    out.vector("position", each.position);
                    out.orientation("orientation", {0, 0, each.yaw});
                    if (each.velocity) out.vector("velocity", *each.velocity);
                });
                if (each.reference_point != nullptr) out.enumeration("reference_point", each.reference_point);
            });
    });
}

struct Input {
    MessageType type;
    Bytestring bytes;
    ObjectSet set = ObjectSet::ground_truth;
};

ObjectComparison compared(const Input& a, const Input& b, const ObjectCompareOptions& options = {},
                          Encoding encoding = Encoding::protobuf)
{
    const auto channel = [&](const Input& input) {
        return std::make_shared<Channel>(channel_of(input.type, encoding));
    };
    const auto bytes = [&](const Input& input) {
        return encoding == Encoding::protobuf ? input.bytes : to_flat(input.bytes, input.type);
    };
    const auto bytes_a = bytes(a), bytes_b = bytes(b);
    const auto frame_a = frame_of(bytes_a), frame_b = frame_of(bytes_b);
    ObjectComparer comparer({channel(a), channel(b)}, {a.set, b.set}, options);
    return comparer.compare({&frame_a, nullptr}, {&frame_b, nullptr});
}

Input truth(const std::vector<Moving>& objects) { return {MessageType::ground_truth, ground_truth(objects)}; }

std::vector<std::uint64_t> ids(const std::vector<ComparedObject>& objects)
{
    std::vector<std::uint64_t> found;
    for (const auto& each : objects) found.push_back(each.id);
    return found;
}

/// The distance that the heading of B needs to that of A.
double yaw_error(double a, double b)
{
    const auto result = compared(truth({{1, {0, 0, 0}, a}}), truth({{1, {0, 0, 0}, b}}));
    return result.pairs.at(0).errors[ObjectError::yaw];
}

}  // namespace

TEST_CASE("a detection is compared at host pose times rear axle times mounting position")
{
    const Input a{MessageType::ground_truth, written(MessageType::ground_truth, [](OsiWriter& out) {
                      out.id("host_vehicle_id", 7);
                      write_turning_host(out);
                      // The sensor is at (99.5, 200.5, 1.35) and looks backward (-x), so that its left is -y.
                      write_moving(out, {33, {89.5, 199.5, 1.35}, -scene::pi + 0.2, scene::Vector{1, 2, 0}});
                  })};
    const Input b{MessageType::sensor_data, detections({{5, {33}, {10, 1, 0}, 0.25, scene::Vector{0, 0, 0}, nullptr}}),
                  ObjectSet::detections};
    for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
        const auto result = compared(a, b, {}, encoding);
        REQUIRE(result.pairs.size() == 1);
        CHECK(result.missed.empty());  // the host is not missed
        CHECK(result.ghosts.empty());
        const auto& [truth_object, detected, by_id, errors] = result.pairs[0];
        CHECK(by_id);
        CHECK(truth_object.id == 33);
        CHECK(detected.id == 5);
        CHECK(detected.position[0] == Approx(89.5));
        CHECK(detected.position[1] == Approx(199.5));
        CHECK(detected.position[2] == Approx(1.35));
        CHECK(errors[ObjectError::distance] == Approx(0).margin(1e-9));
        CHECK(errors[ObjectError::yaw] == Approx(0.05));
        CHECK(errors[ObjectError::height] == Approx(-0.5));
        CHECK(errors[ObjectError::length] == Approx(0).margin(1e-12));
        CHECK(detected.range == Approx(std::sqrt(101.0)));
        CHECK(detected.azimuth == Approx(std::atan2(1.0, 10.0)));
        // It rests in the frame of the sensor, which moves with the host: 0.5 rad/s about (100, 200).
        REQUIRE(detected.velocity);
        CHECK((*detected.velocity)[0] == Approx(-0.5 * (199.5 - 200)));
        CHECK((*detected.velocity)[1] == Approx(10 + 0.5 * (89.5 - 100)));
        CHECK(errors[ObjectError::velocity] == Approx(std::hypot(0.25 - 1, 4.75 - 2)));
        CHECK(result.path_of(0, truth_object) == "moving_object[1]");
        CHECK(result.path_of(1, detected) == "moving_object[0]");
    }
}

TEST_CASE("the position of a detection is that of its point of reference")
{
    const Input a{MessageType::ground_truth, written(MessageType::ground_truth, [](OsiWriter& out) {
                      out.id("host_vehicle_id", 7);
                      write_turning_host(out);
                      write_moving(out, {33, {89.5, 199.5, 1.35}, -scene::pi});
                  })};
    // Its rear is 2 m before its centre, as the sensor sees it.
    const Input b{MessageType::sensor_data, detections({{5, {33}, {8, 1, 0}, 0, {}, "REFERENCE_POINT_REAR_MIDDLE"}}),
                  ObjectSet::detections};
    const auto result = compared(a, b);
    REQUIRE(result.pairs.size() == 1);
    CHECK(result.pairs[0].errors[ObjectError::distance] == Approx(0).margin(1e-9));
    CHECK(std::isnan(result.pairs[0].errors[ObjectError::velocity]));
}

TEST_CASE("longitudinal and lateral are along and across the heading of A")
{
    // A looks to +y. B is 1 m ahead of it, 0.5 m to its right, and 0.25 m above it.
    const auto result = compared(truth({{1, {10, 20, 0}, quarter}}), truth({{1, {10.5, 21, 0.25}, quarter}}));
    const auto& errors = result.pairs.at(0).errors;
    CHECK(errors[ObjectError::longitudinal] == Approx(1));
    CHECK(errors[ObjectError::lateral] == Approx(-0.5));
    CHECK(errors[ObjectError::vertical] == Approx(0.25));
    CHECK(errors[ObjectError::distance] == Approx(std::hypot(1, 0.5)));
}

TEST_CASE("a yaw error is wrapped at half a turn")
{
    CHECK(yaw_error(3.1, -3.1) == Approx(2 * scene::pi - 6.2));
    CHECK(yaw_error(-3.1, 3.1) == Approx(6.2 - 2 * scene::pi));
    CHECK(yaw_error(0, scene::pi) == Approx(scene::pi));
    CHECK(yaw_error(0.1, 0.1 + 40 * scene::pi) == Approx(0).margin(1e-9));
}

TEST_CASE("objects without a partner are missed or ghosts, of which the paths are known")
{
    const auto a = truth({{1, {0, 0, 0}}, {2, {50, 0, 0}}, {3, {100, 0, 0}}});
    const auto b = truth({{3, {100.5, 0, 0}}, {9, {200, 0, 0}}});
    const auto result = compared(a, b);
    REQUIRE(result.pairs.size() == 1);
    CHECK(result.pairs[0].a.id == 3);
    CHECK(ids(result.missed) == std::vector<std::uint64_t>{1, 2});
    CHECK(ids(result.ghosts) == std::vector<std::uint64_t>{9});
    CHECK(result.path_of(0, result.missed[1]) == "moving_object[1]");
    CHECK(result.path_of(1, result.ghosts[0]) == "moving_object[1]");
}

TEST_CASE("objects with other ids are paired within the gate, the closest first")
{
    // 10 is nearest to 1, but 11 is still nearer to it; then 10 is left for 2.
    const auto a = truth({{1, {0, 0, 0}}, {2, {2.5, 0, 0}}});
    const auto b = truth({{10, {1, 0, 0}}, {11, {0.5, 0, 0}}});
    const auto result = compared(a, b);
    REQUIRE(result.pairs.size() == 2);
    CHECK(result.pairs[0].b.id == 11);
    CHECK(result.pairs[1].b.id == 10);
    CHECK(!result.pairs[0].by_id);
    CHECK(compared(a, b, {.gate = 1}).pairs.size() == 1);
    CHECK(compared(a, b, {.gate = 0}).pairs.empty());
    CHECK(compared(a, b, {.gate = 1.5}).pairs.size() == 2);  // exactly the gate
}

TEST_CASE("a second detection of an object is a ghost, and is not paired with a neighbour")
{
    const Input a{MessageType::ground_truth, written(MessageType::ground_truth, [](OsiWriter& out) {
                      out.id("host_vehicle_id", 7);
                      write_turning_host(out);
                      write_moving(out, {33, {89.5, 199.5, 1.35}});
                      write_moving(out, {34, {89.5, 198.5, 1.35}});
                  })};
    const Input b{MessageType::sensor_data,
                  detections({{5, {33}, {10, 1.9, 0}, 0, {}, nullptr}, {6, {33}, {10, 1.1, 0}, 0, {}, nullptr}}),
                  ObjectSet::detections};
    const auto result = compared(a, b);
    REQUIRE(result.pairs.size() == 1);
    CHECK(result.pairs[0].b.id == 6);  // the nearer one
    CHECK(ids(result.ghosts) == std::vector<std::uint64_t>{5});
    CHECK(ids(result.missed) == std::vector<std::uint64_t>{34});
}

TEST_CASE("what a sensor cannot see is not missed")
{
    const Input a{MessageType::ground_truth, written(MessageType::ground_truth, [](OsiWriter& out) {
                      out.id("host_vehicle_id", 7);
                      write_turning_host(out);
                      write_moving(out, {33, {60, 200, 0}});   // before the sensor
                      write_moving(out, {34, {140, 200, 0}});  // behind it
                      write_moving(out, {35, {-60, 200, 0}});  // too far
                  })};
    const Input b{MessageType::sensor_data, detections({}), ObjectSet::detections};
    CHECK(ids(compared(a, b).missed) == std::vector<std::uint64_t>{33, 34, 35});
    const auto result = compared(a, b, {.reach = {100, quarter}});
    CHECK(ids(result.missed) == std::vector<std::uint64_t>{33});
    CHECK(result.out_of_reach == 2);
}

TEST_CASE("detections without a host have no place")
{
    const Input a = truth({{1, {0, 0, 0}}});
    const Input b{MessageType::sensor_data, detections({}), ObjectSet::detections};
    CHECK_THROWS_WITH(compared(a, b), Catch::Matchers::ContainsSubstring("the pose of the host is unknown"));
}

TEST_CASE("messages without objects are refused by the name of their type")
{
    const auto channel = std::make_shared<Channel>(channel_of(MessageType::traffic_command));
    CHECK_THROWS_WITH(ObjectComparer({channel, channel}, {ObjectSet::ground_truth, ObjectSet::ground_truth}, {}),
                      Catch::Matchers::ContainsSubstring("osi3.TrafficCommand"));
}

TEST_CASE("an object without a finite place is left out and reported")
{
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    const auto result = compared(truth({{1, {nan, 0, 0}}, {2, {0, 0, 0}}}), truth({{2, {0, 0, 0}}}));
    CHECK(result.pairs.size() == 1);
    CHECK(result.missed.empty());
    REQUIRE(result.notes.size() == 1);
    CHECK(result.notes[0] == "A: 1 moving object without a valid place is left out");
}

namespace {

void write_still(OsiWriter& out, std::uint64_t id, scene::Vector position)
{
    out.message("stationary_object", [&] {
        out.id("id", id);
        write_base(out, {1, 1, 2}, position);
    });
}

/// Two trees, and a car at the place of the first one.
Bytestring trees_and_car(double shifted)
{
    return written(MessageType::ground_truth, [&](OsiWriter& out) {
        write_still(out, 1, {shifted, 0, 1});
        write_still(out, 2, {50 + shifted, 0, 1});
        write_moving(out, {1, {shifted, 0, 0}});
    });
}

}  // namespace

TEST_CASE("stationary objects are compared with those of the other side, and never with moving ones")
{
    const Input a{MessageType::ground_truth, trees_and_car(0)}, b{MessageType::ground_truth, trees_and_car(0.25)};
    const auto result = compared(a, b);
    REQUIRE(result.pairs.size() == 3);
    for (const auto& pair : result.pairs) {
        CHECK(pair.a.kind == pair.b.kind);
        CHECK(pair.a.id == pair.b.id);
        CHECK(pair.by_id);
        CHECK(pair.errors[ObjectError::distance] == Approx(0.25));
    }
    CHECK(result.pairs[0].a.kind == ObjectKind::moving);
    CHECK(result.path_of(0, result.pairs[0].a) == "moving_object[0]");
    CHECK(result.pairs[2].a.kind == ObjectKind::stationary);
    CHECK(result.path_of(1, result.pairs[2].b) == "stationary_object[1]");
    // A tree beside a car is no partner of it.
    const auto car = truth({{7, {0.1, 0, 0}}});
    const Input tree{MessageType::ground_truth, written(MessageType::ground_truth, [](OsiWriter& out) {
                         write_still(out, 3, {0, 0, 1});
                         write_moving(out, {8, {90, 0, 0}});
                     })};
    CHECK(compared(car, tree).pairs.empty());
}

TEST_CASE("without stationary objects on one side those of the other side are not missed")
{
    const Input a{MessageType::ground_truth, trees_and_car(0)};
    const auto result = compared(a, truth({{1, {0, 0, 0}}}));
    CHECK(result.pairs.size() == 1);
    CHECK(result.missed.empty());
    CHECK(compared(truth({{1, {0, 0, 0}}}), a).ghosts.empty());
}

TEST_CASE("detected stationary objects are compared in global coordinates, with the map of an earlier message")
{
    const auto map = written(MessageType::ground_truth, [](OsiWriter& out) {
        out.id("host_vehicle_id", 7);
        write_still(out, 40, {89.5, 199.5, 1.35});
        write_turning_host(out);
    });
    const auto later = written(MessageType::ground_truth, [](OsiWriter& out) {
        out.id("host_vehicle_id", 7);
        write_turning_host(out);
    });
    const auto seen = written(MessageType::sensor_data, [](OsiWriter& out) {
        out.mounting_position("mounting_position", {2, 0.5, 1}, {0, 0, quarter});
        out.message("stationary_object", [&] {
            out.message("header", [&] {
                out.id("tracking_id", 5);
                out.id("ground_truth_id", 40);
            });
            write_base(out, {1, 1, 2}, {10, 1.5, 0});
        });
    });
    const auto frame_a = frame_of(later), frame_map = frame_of(map), frame_b = frame_of(seen);
    ObjectComparer comparer({std::make_shared<Channel>(channel_of(MessageType::ground_truth)),
                             std::make_shared<Channel>(channel_of(MessageType::sensor_data))},
                            {ObjectSet::ground_truth, ObjectSet::detections}, {});
    const auto result = comparer.compare({&frame_a, &frame_map}, {&frame_b, nullptr});
    REQUIRE(result.pairs.size() == 1);
    CHECK(result.pairs[0].a.id == 40);
    CHECK(result.pairs[0].b.id == 5);
    CHECK(result.pairs[0].errors[ObjectError::distance] == Approx(0.5));
    CHECK(result.missed.empty());
}

TEST_CASE("a broken message is an error, not an empty one")
{
    auto bytes = ground_truth({{1, {0, 0, 0}}});
    bytes.resize(bytes.size() - 3);
    CHECK_THROWS_AS(compared({MessageType::ground_truth, bytes}, truth({})), Error);
}

namespace {

/// Every object of the pairs of a brute-force search: takes the closest pair that is left, again and again.
std::vector<std::pair<std::size_t, std::size_t>> closest_pairs(const std::vector<ComparedObject>& a,
                                                               const std::vector<ComparedObject>& b, double gate)
{
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<bool> a_taken(a.size()), b_taken(b.size());
    while (true) {
        double best = gate;
        std::optional<std::pair<std::size_t, std::size_t>> pair;
        for (std::size_t i = 0; i != a.size(); ++i)
            for (std::size_t j = 0; j != b.size(); ++j) {
                if (a_taken[i] || b_taken[j]) continue;
                const auto distance =
                    std::hypot(a[i].position[0] - b[j].position[0], a[i].position[1] - b[j].position[1]);
                if (pair ? distance < best : distance <= best) {
                    best = distance;
                    pair = {i, j};
                }
            }
        if (!pair) break;
        a_taken[pair->first] = b_taken[pair->second] = true;
        pairs.push_back(*pair);
    }
    std::ranges::sort(pairs);
    return pairs;
}

}  // namespace

TEST_CASE("pairs are those of a search through all combinations")
{
    std::mt19937 random(1);
    for (const double gate : {0.5, 2.0, 7.0, 200.0}) {
        std::uniform_real_distribution<double> place(-40, 40);
        std::vector<ComparedObject> a(60), b(70);
        std::uint64_t id = 0;
        for (auto* const side : {&a, &b})
            for (auto& each : *side) {
                each.id = ++id;  // no two are equal
                each.position = {place(random), place(random), 0};
            }
        const auto matches = compare::pair_objects({a}, {b}, gate);
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t i = 0; i != a.size(); ++i)
            if (matches.of_a[i]) pairs.emplace_back(i, matches.of_a[i]->b);
        CHECK(pairs == closest_pairs(a, b, gate));
        CHECK(!matches.too_many);
    }
}

TEST_CASE("a crowd at one place takes bounded time and memory")
{
    std::vector<ComparedObject> a(3000), b(3000);
    std::uint64_t id = 0;
    for (auto* const side : {&a, &b})
        for (auto& each : *side) each.id = ++id;
    const auto matches = compare::pair_objects({a}, {b}, 2);
    CHECK(matches.too_many);
    CHECK(matches.of_a[0]);
    for (auto* const side : {&a, &b})
        for (auto& each : *side) each.id = 1;
    CHECK(compare::pair_objects({a}, {b}, 2).too_many);
}

TEST_CASE("objects of two ground truths are paired by the names of the scenario, if that is chosen")
{
    const auto named = [](const std::vector<std::tuple<std::uint64_t, std::string, double>>& objects) {
        return Input{MessageType::ground_truth, written(MessageType::ground_truth, [&](OsiWriter& out) {
                         for (const auto& object : objects)
                             out.message("moving_object", [&] {
                                 out.id("id", std::get<0>(object));
                                 out.message("base", [&] { out.vector("position", {std::get<2>(object), 0, 0}); });
                                 if (std::get<1>(object).empty()) return;
                                 out.message("source_reference", [&] {
                                     out.text("identifier", "Vehicle");
                                     out.text("identifier", std::get<1>(object));
                                 });
                             });
                     })};
    };
    const auto pairs_of = [&](bool by_name) {
        const auto a = named({{1, "Ego", 0}, {2, "Truck", 100}, {3, "", 200}});
        const auto b = named({{2, "Ego", 1}, {1, "Truck", 101}, {3, "", 201}});
        std::vector<std::array<std::uint64_t, 2>> pairs;
        for (const auto& pair : compared(a, b, {.pair_by_name = by_name}).pairs)
            pairs.push_back({pair.a.id, pair.b.id});
        return pairs;
    };
    CHECK(pairs_of(true) == std::vector<std::array<std::uint64_t, 2>>{{1, 2}, {2, 1}, {3, 3}});
    CHECK(pairs_of(false) == std::vector<std::array<std::uint64_t, 2>>{{1, 1}, {2, 2}, {3, 3}});
}
