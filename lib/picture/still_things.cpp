// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/still_things.hpp"

#include <algorithm>
#include <array>

#include "lib/picture/body.hpp"

namespace ositrace::picture {

namespace {

/// Adds a thing with a place, without marks. Adds nothing and returns nullopt if it cannot be shown.
std::optional<Base> add_still(LayerBuilder& to, Category category, std::string_view what, const MessageView& message,
                              const StillKind& kind, ThingId id, std::string path)
{
    const auto base = read_base(message, "base", what, to.notes());
    if (!base) return std::nullopt;
    auto& thing = to.add(category, id, kind.look, std::move(path), kind.type);
    if (place_thing(thing, *base, to.placement(), what, to.notes())) return base;
    to.drop();
    return std::nullopt;
}

void add_box(LayerBuilder& to, const StillKind& kind)
{
    const auto& thing = to.thing();
    to.box(kind.look, thing.centre, thing.size, thing.rotation, kind.strength);
}

}  // namespace

/// A marking is thin in the direction of its face: x in OSI, z in some traces.
void add_marking_surface(LayerBuilder& to, Look look)
{
    const auto& thing = to.thing();
    const auto thin =
        static_cast<std::size_t>(std::min_element(thing.size.begin(), thing.size.end()) - thing.size.begin());
    const auto across = (thin + 1) % 3, along = (thin + 2) % 3;
    std::array<Point, 4> corners{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        std::array<double, 3> corner{};
        corner[thin] = 1;
        corner[across] = i / 2 == 0 ? 1 : -1;
        corner[along] = i % 2 == 0 ? 1 : -1;
        corners[i] = place_on(thing, {corner[0], corner[1], corner[2]});
    }
    to.strip(look, corners, false);
}

void add_stationary_objects(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    constexpr std::string_view what = "stationary object";
    for_each_element(to, parent, field, what, [&](const MessageView& object, std::size_t place) {
        const auto kind = kind_of_stationary_object(message_in(object, "classification"));
        const auto base = add_still(to, Category::stationary_object, what, object, kind, thing_id_in(object, place),
                                    to.path(field, place));
        if (base) add_body(to, message_in(object, "base"), *base, {.look = kind.look, .strength = kind.strength});
    });
}

void add_traffic_signs(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    constexpr std::string_view what = "traffic sign", below = "supplementary sign";
    for_each_element(to, parent, field, what, [&](const MessageView& sign, std::size_t place) {
        const auto id = thing_id_in(sign, place);
        const auto path = to.path(field, place);
        const auto add_board = [&](const MessageView& board, std::string_view name, std::string_view inner) {
            const auto kind = kind_of_traffic_sign(message_in(board, "classification"));
            if (add_still(to, Category::traffic_sign, name, board, kind, id, path + std::string(inner)))
                add_box(to, kind);
        };
        if (const auto main = message_in(sign, "main_sign"))
            add_board(*main, what, "");
        else
            to.notes().leave_out(what, "without a main sign");
        for_each_element(to, sign, "supplementary_sign", below, [&](const MessageView& supplementary, std::size_t i) {
            add_board(supplementary, below, ".supplementary_sign[" + std::to_string(i) + ']');
        });
    });
}

void add_traffic_lights(LayerBuilder& to, const MessageView& parent, std::string_view field,
                        std::optional<Nanoseconds> time)
{
    constexpr std::string_view what = "traffic light";
    for_each_element(to, parent, field, what, [&](const MessageView& light, std::size_t place) {
        const auto kind = kind_of_traffic_light(message_in(light, "classification"), time);
        if (add_still(to, Category::traffic_light, what, light, kind, thing_id_in(light, place), to.path(field, place)))
            add_box(to, kind);
    });
}

void add_road_markings(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    constexpr std::string_view what = "road marking";
    for_each_element(to, parent, field, what, [&](const MessageView& marking, std::size_t place) {
        const auto kind = kind_of_road_marking(message_in(marking, "classification"));
        if (add_still(to, Category::road_marking, what, marking, kind, thing_id_in(marking, place),
                      to.path(field, place)))
            add_marking_surface(to, kind.look);
    });
}

}  // namespace ositrace::picture
