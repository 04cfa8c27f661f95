// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/base.hpp"
#include "lib/picture/moving_objects.hpp"

namespace ositrace::picture {

namespace {

// IndicatorState and BrakeLightState of OSI 3.8.0.
enum : std::int64_t { off = 2, left = 3, right = 4, warning = 5 };
enum : std::int64_t { brake_normal = 3, brake_hard = 4 };

/// A lamp on the box; its size as fractions of the vehicle's.
void add_lamp(LayerBuilder& to, Look look, Vector halves)
{
    const auto& thing = to.thing();
    const std::array<float, 3> size{0.03F * thing.size[0], 0.15F * thing.size[1], 0.12F * thing.size[2]};
    to.box(look, place_on(thing, halves), size, thing.rotation);
}

void add_brake_lights(LayerBuilder& to, std::int64_t state)
{
    if (state < off || state > brake_hard) return;  // unknown
    const auto look = state == off ? Look::brake_off : state == brake_normal ? Look::brake_on : Look::brake_strong;
    for (const double side : {-0.65, 0.65}) add_lamp(to, look, {-1, side, 0.1});
}

void add_indicators(LayerBuilder& to, std::int64_t state)
{
    if (state < off || state > warning) return;
    for (const double side : {-0.9, 0.9}) {
        const bool lit = state == warning || state == (side > 0 ? left : right);
        for (const double end : {-1.0, 1.0})
            add_lamp(to, lit ? Look::indicator_on : Look::indicator_off, {end, side, 0.1});
    }
}

}  // namespace

void add_vehicle_lights(LayerBuilder& to, const MessageView& light_state)
{
    add_brake_lights(to, integer_in(light_state, "brake_light_state").value_or(0));
    add_indicators(to, integer_in(light_state, "indicator_state").value_or(0));
}

}  // namespace ositrace::picture
