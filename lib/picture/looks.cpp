// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/looks.hpp"

#include <array>
#include <cstddef>

namespace ositrace::picture {

namespace {

/// By number; `otherwise` if it is unset or not in the table.
template <class Row, std::size_t N>
Row look_in(const std::array<Row, N>& table, std::optional<std::int64_t> number, Row otherwise) noexcept
{
    return number && *number >= 0 && static_cast<std::uint64_t>(*number) < N ? table[static_cast<std::size_t>(*number)]
                                                                             : otherwise;
}

using enum Look;

struct RoadUser {
    Look look = unknown;
    BodyShape shape = BodyShape::box;
};
constexpr RoadUser some_vehicle{other_vehicle}, passenger_car{car, BodyShape::car},
    rail_vehicle{train, BodyShape::train}, micro{bicycle, BodyShape::scooter};
constexpr std::int64_t vehicle = 2;
constexpr std::array<RoadUser, 5> moving_objects{
    {{}, {other}, some_vehicle, {pedestrian, BodyShape::pedestrian}, {animal, BodyShape::animal}}};
constexpr std::array<RoadUser, 23> vehicles{{some_vehicle,
                                             some_vehicle,
                                             passenger_car,
                                             passenger_car,
                                             passenger_car,
                                             passenger_car,
                                             {car, BodyShape::van},
                                             {truck, BodyShape::truck},
                                             {trailer, BodyShape::semitrailer},
                                             {trailer, BodyShape::trailer},
                                             {motorbike, BodyShape::motorcycle},
                                             {bicycle, BodyShape::bicycle},
                                             {bus, BodyShape::bus},
                                             rail_vehicle,
                                             rail_vehicle,
                                             {wheelchair, BodyShape::wheelchair},
                                             {truck, BodyShape::tractor},
                                             micro,
                                             micro,
                                             some_vehicle,
                                             some_vehicle,
                                             some_vehicle,
                                             some_vehicle}};
constexpr std::array stationary_objects{stationary,    stationary,     palette_yellow, palette_green,
                                        palette_blue,  palette_violet, palette_red,    palette_orange,
                                        palette_black, palette_grey,   palette_white};
constexpr std::array road_markings{marking,      marking,     palette_white, palette_yellow, marking,
                                   palette_blue, palette_red, palette_green, palette_violet, palette_orange};
constexpr std::array traffic_lights{light_housing, light_housing, light_red,  light_yellow,
                                    light_green,   light_blue,    light_white};
constexpr std::array lanes{lane_other, lane_other, lane_driving, lane_non_driving, lane_intersection};
/// Of lanes that are not for driving.
constexpr std::int64_t non_driving = 3;
constexpr std::array lane_subtypes{lane_non_driving, lane_non_driving, lane_non_driving, lane_biking,   lane_sidewalk,
                                   lane_parking,     lane_shoulder,    lane_shoulder,    lane_shoulder, lane_shoulder};
constexpr std::array boundary_colours{boundary_other, boundary_other, boundary_black, boundary_white,  boundary_yellow,
                                      boundary_red,   boundary_blue,  boundary_green, boundary_violet, boundary_orange};
constexpr std::int64_t no_colour = 2, first_real_colour = 3;

}  // namespace

namespace {

RoadUser road_user(std::optional<std::int64_t> type, std::optional<std::int64_t> vehicle_type) noexcept
{
    if (vehicle_type && type.value_or(vehicle) == vehicle) return look_in(vehicles, vehicle_type, some_vehicle);
    return look_in(moving_objects, type, RoadUser{});
}

}  // namespace

Look look_of_moving_object(std::optional<std::int64_t> type, std::optional<std::int64_t> vehicle_type) noexcept
{
    return road_user(type, vehicle_type).look;
}

BodyShape shape_of_moving_object(std::optional<std::int64_t> type, std::optional<std::int64_t> vehicle_type) noexcept
{
    return road_user(type, vehicle_type).shape;
}

Look look_of_stationary_object(std::optional<std::int64_t> color) noexcept
{
    return look_in(stationary_objects, color, stationary);
}
Look look_of_road_marking(std::optional<std::int64_t> color) noexcept { return look_in(road_markings, color, marking); }
Look look_of_traffic_light(std::optional<std::int64_t> color) noexcept
{
    return look_in(traffic_lights, color, light_housing);
}

Look look_of_lane(std::optional<std::int64_t> type, std::optional<std::int64_t> subtype) noexcept
{
    return type == non_driving ? look_in(lane_subtypes, subtype, lane_non_driving) : look_in(lanes, type, lane_other);
}

std::optional<Look> look_of_boundary_colour(std::optional<std::int64_t> color, bool is_paint) noexcept
{
    if (color == no_colour && is_paint) return boundary_black;
    if (color.value_or(0) < first_real_colour) return std::nullopt;
    return look_in(boundary_colours, color, boundary_other);
}

}  // namespace ositrace::picture
