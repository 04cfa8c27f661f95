// SPDX-License-Identifier: MPL-2.0
// What of a list of objects takes part in a comparison, and where a sensor puts it.
#include <limits>
#include <numeric>

#include "lib/compare/object_reader.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;
using compare::ObjectReader;
using compare::SensorMotion;

namespace {

struct ReadObjects {
    std::vector<ComparedObject> objects;
    std::size_t left_out = 0;
};

ReadObjects read_objects(ObjectReader& reader, MessageType type, const Bytestring& bytes,
                         const SensorMotion* sensor = nullptr)
{
    const auto& table = Schema::built_in()->root(type);
    ReadObjects result;
    result.objects = reader.read(MessageView(bytes, table, {}), *table.find("moving_object"), sensor, result.left_out);
    return result;
}

ReadObjects read_truth(const std::function<void(OsiWriter&)>& write)
{
    ObjectReader reader;
    return read_objects(reader, MessageType::ground_truth, written(MessageType::ground_truth, write));
}

void write_at_origin(OsiWriter& out, const std::function<void()>& write_more = {})
{
    out.message("base", [&] {
        if (write_more) write_more();
        out.vector("position", {0, 0, 0});
    });
}

/// At (10, 20, 1), turned to the left by a quarter.
SensorMotion turned_sensor()
{
    const picture::Placement global{picture::Vector{}};
    return {.placement = global.mounted({{10, 20, 1}, {0, 0, scene::pi / 2}}), .host = {}};
}

}  // namespace

TEST_CASE("an object without an id is known by its place in the list, also behind one that is left out")
{
    const auto [objects, left_out] = read_truth([](OsiWriter& out) {
        out.message("moving_object", [&] {
            out.id("id", 7);
            write_at_origin(out);
        });
        out.message("moving_object", [&] { out.id("id", 8); });  // without a place
        out.message("moving_object", [&] { write_at_origin(out); });
        out.message("moving_object", [&] {
            out.message("id", [] {});  // 0
            write_at_origin(out);
        });
    });
    CHECK(left_out == 1);
    REQUIRE(objects.size() == 3);
    CHECK((objects[0].has_id && objects[0].id == 7 && objects[0].place == 0));
    CHECK((!objects[1].has_id && objects[1].id == 2 && objects[1].place == 2));
    CHECK((objects[2].has_id && objects[2].id == 0 && objects[2].place == 3));
}

TEST_CASE("a size or a velocity that is none is absent, a place that is none leaves the object out")
{
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
    const auto with = [](scene::Vector size, scene::Vector position, double yaw, scene::Vector velocity) {
        return read_truth([&](OsiWriter& out) {
            out.message("moving_object", [&] {
                out.message("base", [&] {
                    out.dimension("dimension", size);
                    out.vector("position", position);
                    out.orientation("orientation", {0, 0, yaw});
                    out.vector("velocity", velocity);
                });
            });
        });
    };
    const auto good = with({4, 2, 0}, {1, 2, 3}, 0.5, {5, 6, 7});
    REQUIRE(good.objects.size() == 1);
    CHECK(good.objects[0].position == std::array{1.0, 2.0, 3.0});
    CHECK(good.objects[0].yaw == 0.5);
    CHECK(good.objects[0].size == std::array{4.0, 2.0, 0.0});
    CHECK(good.objects[0].velocity == std::array{5.0, 6.0, 7.0});

    CHECK_FALSE(with({4, -2, 1}, {}, 0, {}).objects.at(0).size);
    CHECK_FALSE(with({4, nan, 1}, {}, 0, {}).objects.at(0).size);
    CHECK_FALSE(with({4, 2, 1}, {}, 0, {0, infinite, 0}).objects.at(0).velocity);
    CHECK(with({4, 2, 1}, {nan, 0, 0}, 0, {}).left_out == 1);
    CHECK(with({4, 2, 1}, {0, 0, infinite}, 0, {}).left_out == 1);
    CHECK(with({4, 2, 1}, {}, nan, {}).left_out == 1);

    const auto bare = read_truth([](OsiWriter& out) { out.message("moving_object", [&] { write_at_origin(out); }); });
    REQUIRE(bare.objects.size() == 1);
    CHECK_FALSE(bare.objects[0].size);
    CHECK_FALSE(bare.objects[0].velocity);
}

TEST_CASE("more objects than the limit are refused, and not read")
{
    const auto read_many = [](std::size_t count) {
        return read_truth([&](OsiWriter& out) {
            for (std::size_t i = 0; i != count; ++i) out.message("moving_object", [] {});
        });
    };
    CHECK(read_many(ObjectReader::most_objects).left_out == 100'000);
    CHECK(error_of([&] { return read_many(ObjectReader::most_objects + 1); }) ==
          "moving_object: the number of objects (100001) exceeds the limit of 100000");
}

TEST_CASE("a detection is placed by its sensor, and has no velocity while that of the host is unknown")
{
    const auto detection = written(MessageType::sensor_data, [](OsiWriter& out) {
        out.message("moving_object", [&] {
            out.message("header", [&] {
                out.id("tracking_id", 5);
                for (std::uint64_t id = 0; id != 101; ++id) out.id("ground_truth_id", id);
            });
            write_at_origin(out, [&] { out.dimension("dimension", {4, 2, 1}); });
        });
        out.message("moving_object", [&] {
            out.message("base", [&] {
                out.vector("position", {5, 1, 0});
                out.orientation("orientation", {0, 0, 0.25});
                out.vector("velocity", {3, 0, 0});
            });
        });
    });
    auto sensor = turned_sensor();
    ObjectReader reader;
    auto objects = read_objects(reader, MessageType::sensor_data, detection, &sensor).objects;
    REQUIRE(objects.size() == 2);
    CHECK((objects[0].has_id && objects[0].id == 5));
    std::vector<std::uint64_t> first_hundred(100);
    std::iota(first_hundred.begin(), first_hundred.end(), std::uint64_t{0});
    CHECK(objects[0].truth_ids == first_hundred);
    CHECK(objects[1].truth_ids.empty());
    CHECK(objects[1].position[0] == Approx(9));
    CHECK(objects[1].position[1] == Approx(25));
    CHECK(objects[1].position[2] == Approx(1));
    CHECK(objects[1].yaw == Approx(scene::pi / 2 + 0.25));
    CHECK_FALSE(objects[1].velocity);
    const auto local = sensor.to_local(objects[1].position);
    CHECK(local.x == Approx(5));
    CHECK(local.y == Approx(1));
    CHECK(local.z == Approx(0).margin(1e-9));

    sensor.host.velocity = picture::Vector{10, 0, 0};
    objects = read_objects(reader, MessageType::sensor_data, detection, &sensor).objects;
    REQUIRE(objects[1].velocity);
    CHECK((*objects[1].velocity)[0] == Approx(10));
    CHECK((*objects[1].velocity)[1] == Approx(3));
}

TEST_CASE("a reader that read detections reads ground truth, and detections again")
{
    const auto detections_in_data = written(MessageType::sensor_data, [](OsiWriter& out) {
        out.message("moving_object", [&] {
            out.message("header", [&] { out.id("tracking_id", 5); });
            write_at_origin(out);
        });
    });
    const auto truth_of_two = written(MessageType::ground_truth, [](OsiWriter& out) {
        for (const std::uint64_t id : {1, 2})
            out.message("moving_object", [&] {
                out.id("id", id);
                write_at_origin(out);
            });
    });
    const auto sensor = turned_sensor();
    ObjectReader reader;
    const auto first = read_objects(reader, MessageType::sensor_data, detections_in_data, &sensor);
    const auto between = read_objects(reader, MessageType::ground_truth, truth_of_two);
    const auto again = read_objects(reader, MessageType::sensor_data, detections_in_data, &sensor);
    REQUIRE(between.objects.size() == 2);
    CHECK(between.objects[1].id == 2);
    REQUIRE((first.objects.size() == 1 && again.objects.size() == 1));
    CHECK(again.objects[0].id == 5);
    CHECK(again.objects[0].position == first.objects[0].position);
}
