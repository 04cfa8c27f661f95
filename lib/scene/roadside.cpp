// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/world.hpp"

#include <array>
#include <cmath>

namespace ositrace::scene {

namespace {

constexpr double supplementary_height = 0.4;
constexpr double marking_thickness = 0.01;

struct ObjectRow {
    std::string_view type, material, density, color;
    Colour colour;
    double reflectivity;
};
constexpr ObjectRow building{"TYPE_BUILDING", "MATERIAL_CONCRETE", "DENSITY_SOLID",
                             "COLOR_GREY",    {0.6, 0.6, 0.62},    0.4};
constexpr ObjectRow tree{"TYPE_TREE", "MATERIAL_WOOD", "DENSITY_MEDIAN_MESH", "COLOR_GREEN", {0.15, 0.45, 0.15}, 0.3};
constexpr ObjectRow pole{"TYPE_POLE", "MATERIAL_METAL", "DENSITY_SOLID", "COLOR_GREY", {0.5, 0.5, 0.5}, 0.5};
constexpr ObjectRow delineator{"TYPE_DELINEATOR", "MATERIAL_PLASTIC", "DENSITY_SOLID", "COLOR_WHITE", {1, 1, 1}, 0.9};
constexpr ObjectRow barrier{"TYPE_BARRIER", "MATERIAL_PLASTIC", "DENSITY_SOLID", "COLOR_RED", {0.8, 0.1, 0.1}, 0.7};
constexpr ObjectRow wall{"TYPE_WALL", "MATERIAL_STONE", "DENSITY_SOLID", "COLOR_ORANGE", {0.75, 0.45, 0.3}, 0.4};
constexpr ObjectRow gantry{
    "TYPE_OVERHEAD_STRUCTURE", "MATERIAL_METAL", "DENSITY_LARGE_MESH", "COLOR_BLUE", {0.2, 0.3, 0.6}, 0.5};
constexpr ObjectRow hedge{"TYPE_VEGETATION", "MATERIAL_WOOD", "DENSITY_SMALL_MESH",
                          "COLOR_GREEN",     {0.2, 0.4, 0.1}, 0.3};

class Builder {
public:
    Builder(Roadside& to, const RingRoad& road, SceneIds ids) noexcept : to_(to), road_(road), ids_(ids) {}

    /// An object at `place`, its bottom at height `bottom`, its length along the road.
    void object(const ObjectRow& row, RoadPlace place, Vector dimension, double bottom = 0, bool outlined = false)
    {
        auto body =
            standing(SceneIds::stationary, to_.objects.size(), place, dimension, bottom, road_.heading(place.s));
        body.reflectivity = row.reflectivity;
        to_.objects.push_back({body, row.type, row.material, row.density, row.color, row.colour, outlined});
    }

    /// A sign on a pole; it faces the traffic of the outer lanes.
    void sign(RoadPlace place, Vector dimension, const SignFace& main, std::string_view variability,
              std::vector<SignFace> supplementary = {})
    {
        constexpr double bottom = 2.2;
        post(place, bottom + dimension.z);
        auto body = standing(SceneIds::sign, to_.signs.size(), in_front_of_post(place), dimension, bottom,
                             facing_traffic(place.s));
        body.reflectivity = 0.9;
        to_.signs.push_back({body, main, variability, std::move(supplementary), place.s});
    }

    /// Bulbs from the top down on a pole of their own.
    void lights(RoadPlace place, double top, bool for_pedestrians, const std::vector<TrafficLight>& bulbs)
    {
        constexpr double size = 0.3;
        post(place, top);
        double bottom = top;
        for (auto light : bulbs) {
            bottom -= size;
            light.body = standing(SceneIds::light, to_.lights.size(), in_front_of_post(place), {0.2, size, size},
                                  bottom, facing_traffic(place.s));
            light.s = place.s;
            light.for_pedestrians = for_pedestrians;
            to_.lights.push_back(light);
        }
    }

    /// `size`: x thickness, y width, z length along the road, because the z axis of a marking in OSI points in the
    /// driving direction.
    void marking(RoadPlace place, double width, double length, RoadMarking marking)
    {
        auto& body = marking.body;
        body.id = ids_.still(SceneIds::marking, to_.markings.size());
        body.position = road_.point(place, marking_thickness / 2);
        body.dimension = {marking_thickness, width, length};
        // x to the sky, z along the road: Rz(heading + pi) Ry(-pi/2).
        body.orientation = {0, -pi / 2, wrapped(road_.heading(place.s) + pi)};
        marking.place = place;
        to_.markings.push_back(marking);
    }

private:
    Body standing(SceneIds::Block block, std::size_t i, RoadPlace place, Vector dimension, double bottom,
                  double yaw) const noexcept
    {
        Body body;
        body.id = ids_.still(block, i);
        body.position = road_.point(place, bottom + dimension.z / 2);
        body.orientation = {0, 0, yaw};
        body.dimension = dimension;
        return body;
    }
    void post(RoadPlace place, double height) { object(pole, place, {0.1, 0.1, height}); }
    [[nodiscard]] double facing_traffic(double s) const noexcept { return wrapped(road_.heading(s) + pi); }
    static RoadPlace in_front_of_post(RoadPlace place) noexcept { return {place.s - 0.2, place.t}; }

    Roadside& to_;
    const RingRoad& road_;
    SceneIds ids_;
};

void add_buildings(Builder& build, const RingRoad& road, std::uint64_t seed)
{
    constexpr int outside = 12, inside = 6;
    enum Draw : std::uint64_t { length = 100, width, height };
    for (int i = 0; i < outside + inside; ++i) {
        const auto drawn = [&](Draw what) { return uniform(seed, what, static_cast<std::uint64_t>(i)); };
        const bool outer = i < outside;
        const double s = road.length() * (outer ? (i + 0.25) / outside : (i - outside + 0.5) / inside);
        const Vector size{std::floor(14 + 10 * drawn(length)), std::floor(10 + 4 * drawn(width)),
                          std::floor(8 + 10 * drawn(height))};
        build.object(building, {s, outer ? -26.0 : 20.0}, size, 0, true);
    }
}

void add_greenery(Builder& build, const RingRoad& road, std::uint64_t seed)
{
    constexpr int trees = 16;
    enum Draw : std::uint64_t { shift = 110, height };
    for (int i = 0; i < trees; ++i) {
        const auto drawn = [&](Draw what) { return uniform(seed, what, static_cast<std::uint64_t>(i)); };
        const double s = road.length() * i / trees + 3 + 6 * drawn(shift);
        build.object(tree, {s, -14.5}, {1.2, 1.2, 5 + std::floor(4 * drawn(height))});
    }
    build.object(hedge, {0.2 * road.length(), 8.0}, {12, 1.2, 1.5});
    build.object(wall, {0.93 * road.length(), 9.0}, {15, 0.4, 2.2});
}

void add_furniture(Builder& build, const RingRoad& road)
{
    constexpr int delineators = 12;
    for (int i = 0; i < delineators; ++i)
        build.object(delineator, {road.length() * (i + 0.5) / delineators, 4.2}, {0.12, 0.12, 1.0});
    build.object(barrier, {35, -11.6}, {2.0, 0.3, 1.0});
    // A gantry over the whole road: two legs and a beam.
    build.object(pole, {55, 4.5}, {0.4, 0.4, 6.2});
    build.object(pole, {55, -11.5}, {0.4, 0.4, 6.2});
    build.object(gantry, {55, -3.5}, {0.6, 16.4, 0.8}, 6.2);
}

void add_signs(Builder& build)
{
    build.sign({25, -11.6}, {0.02, 0.6, 0.6},
               {"TYPE_SPEED_LIMIT_BEGIN", 50, "UNIT_KILOMETER_PER_HOUR", "50", "274", "50"}, "VARIABILITY_FIXED");
    build.sign({33, -11.6}, {0.02, 0.9, 0.9}, {"TYPE_PEDESTRIANS", 0, "", "", "133", "10"}, "VARIABILITY_FIXED",
               {{"TYPE_VALID_IN_DISTANCE", 20, "UNIT_METER", "20 m", "1004", "30"}});
    build.sign({64, -11.6}, {0.02, 0.9, 0.9}, {"TYPE_GIVE_WAY", 0, "", "", "205", ""}, "VARIABILITY_FIXED");
    build.sign({75, -11.6}, {0.02, 0.6, 0.6},
               {"TYPE_SPEED_LIMIT_BEGIN", 30, "UNIT_KILOMETER_PER_HOUR", "30", "274", "30"}, "VARIABILITY_MUTABLE",
               {{"TYPE_TIME", 0, "", "7-17 h", "1042", "31"}});
}

// A zebra crossing with lights for vehicles and pedestrians: 8 s green, 1 s yellow, 6 s red.
void add_crossing(Builder& build)
{
    constexpr double s = 48, cycle = 15;
    const auto bulb = [](std::string_view color, std::string_view icon, std::string_view mode, double from, double to) {
        return TrafficLight{{}, color, icon, mode, cycle, from, to, 0, false};
    };
    build.lights({s, -11.6}, 3.2, false,
                 {bulb("COLOR_RED", "ICON_NONE", "MODE_CONSTANT", 9, 15),
                  bulb("COLOR_YELLOW", "ICON_NONE", "MODE_CONSTANT", 8, 9),
                  bulb("COLOR_GREEN", "ICON_NONE", "MODE_CONSTANT", 0, 8)});
    build.lights({s + 4, -12.2}, 2.6, true,
                 {bulb("COLOR_RED", "ICON_DONT_WALK", "MODE_CONSTANT", 0, 10),
                  bulb("COLOR_GREEN", "ICON_WALK", "MODE_CONSTANT", 10, 15)});
    build.lights({s + 2, 4.6}, 2.6, false, {bulb("COLOR_YELLOW", "ICON_PEDESTRIAN", "MODE_FLASHING", 0, 15)});

    RoadMarking zebra{{}, "TYPE_SYMBOLIC_TRAFFIC_SIGN", "TYPE_ZEBRA_CROSSING", "COLOR_WHITE", 0, "", "", "293", {}};
    build.marking({s + 2, -2.5}, 12.0, 3.0, zebra);
    RoadMarking stop_line{{}, "TYPE_GENERIC_LINE", "", "COLOR_WHITE", 0, "", "", "", {}};
    build.marking({s - 1, -3.5}, 7.0, 0.5, stop_line);
}

void add_markings(Builder& build)
{
    RoadMarking limit{{},
                      "TYPE_SYMBOLIC_TRAFFIC_SIGN",
                      "TYPE_SPEED_LIMIT_BEGIN",
                      "COLOR_WHITE",
                      50,
                      "UNIT_KILOMETER_PER_HOUR",
                      "50",
                      "274",
                      {}};
    build.marking({20, -1.75}, 1.2, 2.5, limit);
    RoadMarking bus{{}, "TYPE_GENERIC_TEXT", "", "COLOR_YELLOW", 0, "", "BUS", "", {}};
    build.marking({38, -5.25}, 1.8, 2.5, bus);
    RoadMarking bicycle{{}, "TYPE_GENERIC_SYMBOL", "", "COLOR_BLUE", 0, "", "", "", {}};
    build.marking({15, -7.75}, 1.0, 1.8, bicycle);
}

}  // namespace

bool TrafficLight::lit(double seconds) const noexcept
{
    const double phase = seconds - std::floor(seconds / period) * period;
    return phase >= from && phase < to;
}

Roadside::Roadside(const RingRoad& road, SceneIds ids, std::uint64_t seed)
{
    Builder build(*this, road, ids);
    add_buildings(build, road, seed);
    add_greenery(build, road, seed);
    add_furniture(build, road);
    add_signs(build);
    add_crossing(build);
    add_markings(build);
}

Body supplementary_body(const TrafficSign& sign, std::size_t i) noexcept
{
    Body body = sign.body;
    body.dimension.z = supplementary_height;
    body.position.z -= sign.body.dimension.z / 2 + supplementary_height * (static_cast<double>(i) + 0.5);
    return body;
}

}  // namespace ositrace::scene
