// SPDX-License-Identifier: MPL-2.0
// Where moving objects were: found in the trace, drawn behind them.
#include <algorithm>
#include <numbers>

#include <ositrace/trail_finder.hpp>

#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"
#include "tests/lib/picture/test_trace.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

struct Car {
    std::uint64_t id;
    double x;
};

Bytestring cars(const std::vector<Car>& all)
{
    return written(MessageType::ground_truth, [&](OsiWriter& out) {
        for (const auto& car : all)
            out.message("moving_object", [&] {
                out.id("id", car.id);
                write_base(out, {4, 2, 1}, {car.x, 0, 0.5});
            });
    });
}

/// Car 1 drives 1 m per frame; car 2 is absent in frame 5.
std::shared_ptr<TestTrace> drive(std::size_t frames)
{
    std::vector<std::shared_ptr<const Bytestring>> all;
    for (std::size_t i = 0; i < frames; ++i) {
        std::vector<Car> here{{1, static_cast<double>(i)}};
        if (i != 5) here.push_back({2, 100});
        all.push_back(shared_bytes(cars(here)));
    }
    return std::make_shared<TestTrace>(MessageType::ground_truth, std::move(all));
}

/// The host drives 1 m per frame to the left (+y). Its sensor is mounted 2 m before its centre, and detects the rear of
/// a standing car, 4 m long: the centre of the car is always at (0, 20).
Bytestring detected_car(std::size_t i)
{
    constexpr double left = std::numbers::pi / 2;
    const double y = static_cast<double>(i);
    return written(MessageType::sensor_data, [&](OsiWriter& out) {
        out.mounting_position("mounting_position", {2, 0, 0}, {});
        out.message("sensor_view", [&] {
            out.message("global_ground_truth", [&] {
                out.id("host_vehicle_id", 7);
                out.message("moving_object", [&] {
                    out.id("id", 7);
                    write_base(out, {4, 2, 1}, {0, y, 0.5}, left);
                });
            });
        });
        out.message("moving_object", [&] {
            out.message("header", [&] { out.id("tracking_id", 5); });
            write_base(out, {4, 2, 1}, {20 - y - 2 - 2, 0, 0});
            out.enumeration("reference_point", "REFERENCE_POINT_REAR_MIDDLE");
        });
    });
}

std::vector<double> xs_of(const Trails& trails, std::uint64_t id)
{
    std::vector<double> xs;
    if (const auto found = trails.objects.find(id); found != trails.objects.end())
        for (const auto& place : found->second) xs.push_back(place[0]);
    return xs;
}

}  // namespace

TEST_CASE("a trail has the places of the frames before, the latest first, until its object was absent")
{
    TrailFinder finder(drive(20));
    const auto trails = finder.find(0, 3, 8);
    CHECK(xs_of(trails, 1) == std::vector<double>{7, 6, 5, 4, 3});
    CHECK(xs_of(trails, 2) == std::vector<double>{100, 100});
    CHECK(finder.find(0, 8, 8) == Trails());
    CHECK(finder.find(1, 0, 8) == Trails());
}

TEST_CASE("trails do not depend on what was shown before, and each frame is read once")
{
    const auto trace = drive(50);
    TrailFinder played(trace);
    for (std::uint64_t i = 0; i < 50; ++i) static_cast<void>(played.find(0, i - std::min<std::uint64_t>(i, 10), i));
    CHECK(trace->read == 49);
    TrailFinder sought(trace);
    for (const std::uint64_t i : {49, 3, 20, 7})
        CHECK(sought.find(0, i - std::min<std::uint64_t>(i, 10), i) ==
              played.find(0, i - std::min<std::uint64_t>(i, 10), i));
}

TEST_CASE("a trail ends at a frame that cannot be read, and does not read many large frames")
{
    std::vector<std::shared_ptr<const Bytestring>> all;
    for (std::size_t i = 0; i < 10; ++i) all.push_back(shared_bytes(cars({{1, static_cast<double>(i)}})));
    auto broken = *all[6];
    broken.resize(broken.size() - 3);
    all[6] = shared_bytes(std::move(broken));
    TrailFinder finder(std::make_shared<TestTrace>(MessageType::ground_truth, all));
    CHECK(xs_of(finder.find(0, 0, 9), 1) == std::vector<double>{8, 7});

    const auto large = shared_bytes(written(MessageType::ground_truth, [](OsiWriter& out) {
        out.message("moving_object", [&] {
            out.id("id", 1);
            write_base(out, {4, 2, 1}, {0, 0, 0});
        });
        out.text("map_reference", std::string(20 << 20, 'm'));
    }));
    TrailFinder slow(std::make_shared<TestTrace>(MessageType::ground_truth,
                                                 std::vector<std::shared_ptr<const Bytestring>>(9, large)));
    CHECK(xs_of(slow.find(0, 0, 9), 1).size() == 3);
}

TEST_CASE("a trail is a line of its object on the ground, fainter the longer ago")
{
    const auto bytes = cars({{1, 10}, {2, 50}});
    const auto frame = frame_of(bytes);
    const auto channel = channel_of(MessageType::ground_truth);
    const Trails trails{.objects = {{1, {{9, 0, 0.5}, {8, 0, 0.5}, {7, 1, 0.5}}}}, .detections = {}};
    const PictureSource source{.frame = &frame, .channel = &channel, .trails = &trails};
    const auto picture = PictureMaker().make({&source, 1});
    const auto lines = lines_of(*picture, Category::moving_object);
    REQUIRE(lines.size() == 3);
    const auto& layer = *picture->layers.at(0);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK(layer.things[lines[i].thing].key.id == 1);
        CHECK(lines[i].look == layer.things[lines[i].thing].look);
        CHECK(lines[i].strength == Approx(0.25F * static_cast<float>(3 - i)));
        const auto& from = layer.points[lines[i].first];
        CHECK(static_cast<double>(from[0]) + picture->origin[0] == Approx(10.0 - static_cast<double>(i)));
        CHECK(static_cast<double>(from[2]) == Approx(0.03));
    }
    CHECK(static_cast<double>(layer.points[lines[2].first + 1][1]) + picture->origin[1] == Approx(1));
}

TEST_CASE("detections have trails in global coordinates, by tracking id, and the host by its id")
{
    std::vector<std::shared_ptr<const Bytestring>> all;
    for (std::size_t i = 0; i < 6; ++i) all.push_back(shared_bytes(detected_car(i)));
    TrailFinder finder(std::make_shared<TestTrace>(MessageType::sensor_data, all));
    const auto trails = finder.find(0, 1, 5);
    REQUIRE(trails.detections.size() == 1);
    REQUIRE(trails.detections.contains(5));
    const auto& places = trails.detections.at(5);
    REQUIRE(places.size() == 4);
    for (const auto& place : places) {
        CHECK(place[0] == Approx(0).margin(1e-9));
        CHECK(place[1] == Approx(20));
    }
    REQUIRE(trails.objects.contains(7));
    CHECK(trails.objects.at(7).front()[1] == 4);

    const Trails seen{.objects = {}, .detections = {{5, {{0, 19, 0.5}, {0, 18, 0.5}}}}};
    const auto frame = frame_of(*all[5]);
    const auto channel = channel_of(MessageType::sensor_data);
    const PictureSource source{.frame = &frame, .channel = &channel, .trails = &seen};
    const auto picture = PictureMaker().make({&source, 1});
    std::size_t drawn = 0;
    for (const auto& layer : picture->layers)
        for (const auto& line : layer->lines) {
            if (layer->things[line.thing].key.category != Category::detected_moving_object) continue;
            CHECK(layer->things[line.thing].key.id == 5);
            const auto& from = layer->points[line.first];
            CHECK(static_cast<double>(from[1]) + picture->origin[1] == Approx(20 - static_cast<double>(drawn)));
            CHECK(static_cast<double>(from[0]) + picture->origin[0] == Approx(0).margin(1e-3));
            ++drawn;
        }
    CHECK(drawn == 2);
}
