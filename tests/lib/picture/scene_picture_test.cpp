// SPDX-License-Identifier: MPL-2.0
// A picture of the sample scene beside the world that the scene was made from.
#include <algorithm>
#include <cmath>
#include <map>

#include "lib/scene/world.hpp"
#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;
using scene::Vector;

namespace {

constexpr double tenth_of_millimetre = 1e-4, millimetre = 1e-3;

SceneOptions options_of(MessageType type)
{
    SceneOptions options;
    options.type = type;
    options.reflections = 5000;
    options.reflection_fields = 5;
    return options;
}

Vector global(const Picture& picture, const Point& point)
{
    return {picture.origin[0] + static_cast<double>(point[0]), picture.origin[1] + static_cast<double>(point[1]),
            picture.origin[2] + static_cast<double>(point[2])};
}

double apart(Vector a, Vector b) { return (a - b).length(); }

/// From a point to the surface of a box.
double to_surface(const scene::Body& body, Vector point)
{
    const auto local = body.frame().to_local(point);
    const Vector out{std::abs(local.x) - body.dimension.x / 2, std::abs(local.y) - body.dimension.y / 2,
                     std::abs(local.z) - body.dimension.z / 2};
    return std::abs(std::max({out.x, out.y, out.z}));
}

std::map<std::uint64_t, scene::Body> by_id(const std::vector<scene::Body>& bodies)
{
    std::map<std::uint64_t, scene::Body> found;
    for (const auto& body : bodies) found.emplace(body.id, body);
    return found;
}

/// Every point of a cloud lies on what its object_id names, else on the ground.
void require_on_surfaces(const Picture& picture, const Cloud& cloud, const std::vector<scene::Body>& bodies)
{
    const auto ids = std::ranges::find(cloud.fields, "object_id", &CloudField::name);
    REQUIRE(ids != cloud.fields.end());
    std::size_t on_objects = 0;
    double worst = 0;
    for (std::size_t i = 0; i < cloud.points.size(); ++i) {
        const auto at = global(picture, cloud.points[i]);
        double distance = std::abs(at.z);
        if (!std::isnan(ids->values[i])) {
            distance = 1e9;  // supplementary signs share the id of their sign
            for (const auto& body : bodies)
                if (static_cast<float>(body.id) == ids->values[i]) distance = std::min(distance, to_surface(body, at));
            ++on_objects;
        }
        worst = std::max(worst, distance);
    }
    CHECK(worst < millimetre);
    CHECK(on_objects > 100);
    CHECK(on_objects < cloud.points.size());
}

}  // namespace

TEST_CASE("moving objects stand where the scene has them, with their size, heading and velocity")
{
    const auto options = options_of(MessageType::ground_truth);
    const scene::World world(options);
    const Scene made(options);
    for (const std::uint64_t i : {0, 17, 99}) {
        const scene::WorldState moment(world, i);
        const auto picture = picture_of(MessageType::ground_truth, frame_of(made, i));
        auto things = things_of(*picture, Category::moving_object);
        const auto hosts = things_of(*picture, Category::host);
        REQUIRE(hosts.size() == 1);
        REQUIRE(picture->host == hosts.front());
        REQUIRE(picture->time == made.time(i));
        things.insert(things.begin(), hosts.front());
        REQUIRE(things.size() == moment.users.size());
        for (std::size_t k = 0; k < things.size(); ++k) {
            const auto& body = moment.users[k].body;
            const auto& thing = things[k];
            CAPTURE(i, k, thing.label);
            REQUIRE(thing.key.id == body.id);
            REQUIRE(thing.path == "moving_object[" + std::to_string(k) + "]");
            REQUIRE(apart(global(*picture, thing.centre), body.position) < tenth_of_millimetre);
            REQUIRE(std::abs(static_cast<double>(thing.size[0]) - body.dimension.x) < tenth_of_millimetre);
            REQUIRE(std::abs(static_cast<double>(thing.rotation[2]) - body.orientation.yaw) < 1e-6);
            REQUIRE(std::abs(thing.velocity.value()[0] - body.velocity.x) < 1e-9);
        }
    }
}

TEST_CASE("all that stands still in the scene is in the picture, once")
{
    const auto options = options_of(MessageType::ground_truth);
    const scene::World world(options);
    const auto picture = picture_of(MessageType::ground_truth, frame_of(Scene(options), 3));
    CHECK(things_of(*picture, Category::stationary_object).size() == world.roadside.objects.size());
    CHECK(things_of(*picture, Category::traffic_light).size() == world.roadside.lights.size());
    CHECK(things_of(*picture, Category::road_marking).size() == world.roadside.markings.size());
    std::size_t boards = 0;
    for (const auto& sign : world.roadside.signs) boards += 1 + sign.supplementary.size();
    CHECK(things_of(*picture, Category::traffic_sign).size() == boards);
    constexpr auto sections = scene::RingRoad::sections;
    CHECK(things_of(*picture, Category::lane).size() == sections * scene::RingRoad::lanes.size());
    CHECK(things_of(*picture, Category::lane_boundary).size() == sections * scene::RingRoad::boundaries.size());
    CHECK(things_of(*picture, Category::logical_lane).size() == sections * scene::RingRoad::lanes.size());
    CHECK(things_of(*picture, Category::logical_lane_boundary).size() == sections * scene::RingRoad::boundaries.size());
    CHECK(things_of(*picture, Category::reference_line).size() == 1);
    CHECK(complaints(*picture).empty());
}

TEST_CASE("the surface of a lane goes from its left to its right boundary")
{
    const auto options = options_of(MessageType::ground_truth);
    const scene::World world(options);
    const auto picture = picture_of(MessageType::ground_truth, frame_of(Scene(options), 0));
    std::size_t strips = 0;
    double square_metres = 0, all = 0;
    for (const auto& layer : picture->layers) {
        for (const auto& strip : layer->strips) {
            const auto& thing = layer->things[strip.thing];
            if (thing.key.category != Category::lane) continue;
            const auto lane = (thing.key.id - world.road.lane_id(0, 0)) % scene::RingRoad::lanes.size();
            const auto& row = scene::RingRoad::lanes[lane];
            for (std::uint32_t i = 0; i < strip.count; ++i) {
                const double aside = world.road.place(global(*picture, layer->points[strip.first + i])).t;
                CAPTURE(thing.label, aside);
                REQUIRE(std::min(std::abs(aside - row.left), std::abs(aside - row.right)) <
                        0.06);  // chords of a circle
            }
            for (std::uint32_t i = strip.first; i + 2 < strip.first + strip.count; ++i) {
                const auto a = global(*picture, layer->points[i]), b = global(*picture, layer->points[i + 1]),
                           c = global(*picture, layer->points[i + 2]);
                square_metres += std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
            }
            all += scene::pi * (row.left - row.right) * (2 * world.road.radius() - row.left - row.right) /
                   scene::RingRoad::sections;
            REQUIRE_FALSE(strip.fading);
            ++strips;
        }
    }
    CHECK(strips == scene::RingRoad::sections * scene::RingRoad::lanes.size());
    CHECK(square_metres == Approx(all).epsilon(0.005));  // without holes, also where a boundary ends with a gap
}

TEST_CASE("a dashed boundary is painted for 4 m, and not for the next 8")
{
    const auto picture =
        picture_of(MessageType::ground_truth, frame_of(Scene(options_of(MessageType::ground_truth)), 0));
    std::size_t dashes = 0, gaps = 0;
    for (const auto& layer : picture->layers) {
        const LineMark* before = nullptr;
        for (const auto& line : layer->lines) {
            const auto& thing = layer->things[line.thing];
            if (thing.key.category != Category::lane_boundary || thing.type != "dashed line") continue;
            const auto from = global(*picture, layer->points[line.first]),
                       to = global(*picture, layer->points[line.first + line.count - 1]);
            REQUIRE(std::abs(apart(from, to) - 4) < 0.3);
            ++dashes;
            if (before != nullptr && before->thing == line.thing) {
                const auto end = global(*picture, layer->points[before->first + before->count - 1]);
                REQUIRE(std::abs(apart(end, from) - 8) < 1.5);  // gaps are stretched to fit
                ++gaps;
            }
            before = &line;
        }
    }
    CHECK(dashes > 20);
    CHECK(gaps == dashes - scene::RingRoad::sections);
}

TEST_CASE("the centre line of a lane has arrows in driving direction")
{
    const auto options = options_of(MessageType::ground_truth);
    const scene::World world(options);
    const auto picture = picture_of(MessageType::ground_truth, frame_of(Scene(options), 0));
    std::size_t arrows = 0;
    for (const auto& layer : picture->layers) {
        for (const auto& line : layer->lines) {
            const auto& thing = layer->things[line.thing];
            if (thing.key.category != Category::lane || !line.arrow) continue;
            const bool against = (thing.key.id - world.road.lane_id(0, 0)) % scene::RingRoad::lanes.size() == 0;
            const auto from = world.road.place(global(*picture, layer->points[line.first]));
            const auto to = world.road.place(global(*picture, layer->points[line.first + 1]));
            REQUIRE((to.s > from.s) == !against);
            ++arrows;
        }
    }
    CHECK(arrows > 30);
}

TEST_CASE("reflections lie on the surfaces that their rays hit, by the grid and by the directions of the configuration")
{
    auto options = options_of(MessageType::sensor_view);
    const scene::World world(options);
    const auto by_grid = picture_of(MessageType::sensor_view, frame_of(Scene(options), 7));
    REQUIRE(by_grid->clouds.size() == 1);
    const auto& cloud = *by_grid->clouds.front();
    CHECK(cloud.name == "lidar 2: reflections");
    CHECK(cloud.path == "lidar_sensor_view[0].reflection");
    CHECK(cloud.fields.front().name == "signal_strength");
    CHECK(cloud.fields.front().unit == "dB");
    CHECK(cloud.points.size() + cloud.left_out == options.reflections);
    CHECK(cloud.elements.size() == cloud.points.size());
    require_on_surfaces(*by_grid, cloud, scene::bodies(world, scene::WorldState(world, 7)));

    options.ray_directions = true;
    const auto by_directions = picture_of(MessageType::sensor_view, frame_of(Scene(options), 7));
    REQUIRE(by_directions->clouds.size() == 1);
    require_equal(*by_grid, *by_directions);
}

TEST_CASE("what a sensor detects lies over the ground truth, and its lidar detections on the surfaces")
{
    const auto options = options_of(MessageType::sensor_data);
    const scene::World world(options);
    const scene::WorldState moment(world, 40);
    const auto picture = picture_of(MessageType::sensor_data, frame_of(Scene(options), 40));
    const auto bodies = by_id(scene::bodies(world, moment));
    const auto detected = things_of(*picture, Category::detected_moving_object);
    REQUIRE(detected.size() > 3);
    for (const auto& thing : detected) {
        const auto& body = bodies.at(thing.key.id);
        REQUIRE(apart(global(*picture, thing.centre), body.position) < millimetre);
        REQUIRE(std::abs(std::remainder(static_cast<double>(thing.rotation[2]) - body.orientation.yaw, 2 * scene::pi)) <
                1e-5);
        REQUIRE(thing.velocity);  // that of the object, though its message has it relative to the sensor
        REQUIRE(apart({(*thing.velocity)[0], (*thing.velocity)[1], (*thing.velocity)[2]}, body.velocity) < millimetre);
    }
    for (const auto category :
         {Category::detected_stationary_object, Category::detected_traffic_light, Category::detected_road_marking}) {
        const auto still = things_of(*picture, category);
        REQUIRE(!still.empty());
        for (const auto& box : boxes_of(*picture, category)) REQUIRE(box.wire_only);
        for (const auto& thing : still) {
            const auto true_category = category == Category::detected_stationary_object ? Category::stationary_object
                                       : category == Category::detected_traffic_light   ? Category::traffic_light
                                                                                        : Category::road_marking;
            const auto* const truth = picture->find(ThingKey{0, true_category, thing.key.id});
            REQUIRE(truth != nullptr);
            REQUIRE(apart(global(*picture, thing.centre), global(*picture, truth->centre)) < millimetre);
        }
    }
    for (const auto& cloud : picture->clouds)
        if (cloud->key.category == Category::lidar_detection)
            require_on_surfaces(*picture, *cloud, scene::bodies(world, moment));
    CHECK(picture->clouds.size() == 3);
}

TEST_CASE("both encodings give the same picture")
{
    for (const auto type : {MessageType::ground_truth, MessageType::sensor_view, MessageType::sensor_data}) {
        const auto bytes = frame_of(Scene(options_of(type)), 5);
        require_equal(*picture_of(type, bytes), *picture_of(type, to_flat(bytes, type), Encoding::flatbuffers));
    }
}
