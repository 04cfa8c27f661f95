// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/scene/geometry.hpp"
#include "lib/scene/road.hpp"
#include "lib/scene/road_users.hpp"
#include "lib/scene/scene_ids.hpp"

namespace ositrace::scene {

/// Enumerators as in OSI, in all of these.
struct StationaryObject {
    Body body;
    std::string_view type, material, density, color;
    Colour colour;
    bool outlined = false;  ///< has a base polygon
};

struct SignFace {
    std::string_view type;
    double value = 0;
    std::string_view unit;  ///< empty: no value
    std::string_view text, code, sub_code;
};

struct TrafficSign {
    Body body;  ///< of the main sign
    SignFace main;
    std::string_view variability;
    std::vector<SignFace> supplementary;  ///< below the main sign, 0.4 m high each
    double s;
};

/// One bulb. It is lit while (seconds modulo period) lies in [from, to).
struct TrafficLight {
    Body body;
    std::string_view color, icon, lit_mode;
    double period, from, to;
    double s;
    bool for_pedestrians;
    [[nodiscard]] bool lit(double seconds) const noexcept;
};

struct RoadMarking {
    Body body;
    std::string_view type, sign_type, color;
    double value = 0;
    std::string_view unit, text, code;
    RoadPlace place;
};

/// Everything beside and on the road that stands still.
struct Roadside {
    Roadside(const RingRoad& road, SceneIds ids, std::uint64_t seed);
    std::vector<StationaryObject> objects;
    std::vector<TrafficSign> signs;
    std::vector<TrafficLight> lights;
    std::vector<RoadMarking> markings;
};

/// The supplementary signs of a sign as bodies; they share its id.
[[nodiscard]] Body supplementary_body(const TrafficSign& sign, std::size_t i) noexcept;

}  // namespace ositrace::scene
