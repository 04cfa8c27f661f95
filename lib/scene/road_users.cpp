// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/road_users.hpp"

#include <array>

namespace ositrace::scene {

namespace {

constexpr std::string_view vehicle = "TYPE_VEHICLE", civil = "ROLE_CIVIL";

constexpr RoadUserRow host{"host", vehicle, "TYPE_MEDIUM_CAR",  civil, Track::left_lane, {4.6, 1.85, 1.5}, -1.35, 1.40,
                           0.32,   4,       {0.10, 0.20, 0.60}, 0.5};

// clang-format off
constexpr std::array<RoadUserRow, 12> rows{{
    {"compact_car", vehicle, "TYPE_COMPACT_CAR", civil, Track::both_lanes,
     {4.2, 1.80, 1.45}, -1.25, 1.35, 0.31, 4, {0.75, 0.10, 0.10}, 0.5},
    {"medium_car", vehicle, "TYPE_MEDIUM_CAR", civil, Track::oncoming_lane,
     {4.7, 1.85, 1.45}, -1.40, 1.42, 0.32, 4, {0.85, 0.85, 0.85}, 0.6},
    {"pedestrian", "TYPE_PEDESTRIAN", "", "", Track::sidewalk,
     {0.5, 0.6, 1.75}, 0, 0, 0, 0, {0.20, 0.30, 0.50}, 0.4},
    {"heavy_truck", vehicle, "TYPE_HEAVY_TRUCK", civil, Track::right_lane,
     {9.0, 2.50, 3.60}, -2.90, 2.90, 0.50, 4, {0.15, 0.45, 0.20}, 0.5},
    {"bicycle", vehicle, "TYPE_BICYCLE", civil, Track::bicycle_lane,
     {1.8, 0.6, 1.70}, -0.52, 0.52, 0.34, 2, {0.90, 0.60, 0.10}, 0.3},
    {"van", vehicle, "TYPE_DELIVERY_VAN", civil, Track::oncoming_lane,
     {5.9, 2.00, 2.60}, -1.75, 1.90, 0.34, 4, {0.95, 0.95, 0.95}, 0.6},
    {"bus", vehicle, "TYPE_BUS", "ROLE_PUBLIC_TRANSPORT", Track::left_lane,
     {12.0, 2.55, 3.00}, -2.60, 3.30, 0.48, 4, {0.90, 0.75, 0.10}, 0.5},
    {"motorcycle", vehicle, "TYPE_MOTORCYCLE", civil, Track::left_lane,
     {2.2, 0.8, 1.60}, -0.70, 0.72, 0.30, 2, {0.05, 0.05, 0.05}, 0.2},
    {"child", "TYPE_PEDESTRIAN", "", "", Track::sidewalk,
     {0.4, 0.45, 1.20}, 0, 0, 0, 0, {0.80, 0.20, 0.50}, 0.4},
    {"ambulance", vehicle, "TYPE_DELIVERY_VAN", "ROLE_AMBULANCE", Track::oncoming_lane,
     {6.1, 2.10, 2.70}, -1.80, 1.95, 0.35, 4, {0.95, 0.90, 0.85}, 0.7},
    {"dog", "TYPE_ANIMAL", "", "", Track::verge,
     {0.9, 0.3, 0.65}, 0, 0, 0, 0, {0.45, 0.30, 0.15}, 0.3},
    {"small_car", vehicle, "TYPE_SMALL_CAR", civil, Track::right_lane,
     {3.6, 1.65, 1.50}, -1.10, 1.22, 0.29, 4, {0.20, 0.60, 0.80}, 0.5},
}};
// clang-format on

}  // namespace

const RoadUserRow& host_row() noexcept { return host; }
std::span<const RoadUserRow> road_user_rows() noexcept { return rows; }

}  // namespace ositrace::scene
