// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/moving_objects.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "lib/picture/base.hpp"
#include "lib/picture/body.hpp"
#include "lib/picture/looks.hpp"

namespace ositrace::picture {

namespace {

constexpr std::string_view moving_object = "moving object";

void add_moving_object(LayerBuilder& to, const MessageView& object, std::string path, ThingId id, bool is_host,
                       const Trails* trails)
{
    const auto base = read_base(object, "base", moving_object, to.notes());
    if (!base) return;
    auto kind = kind_of_moving_object(object);
    const auto look = is_host ? Look::host : kind.look;
    auto& thing =
        to.add(is_host ? Category::host : Category::moving_object, id, look, std::move(path), std::move(kind.type));
    if (!place_thing(thing, *base, to.placement(), moving_object, to.notes())) return to.drop();
    add_body(to, message_in(object, "base"), *base, {.look = look, .drives = true});
    add_velocity(to);
    if (const auto lights = message_in(message_in(object, "vehicle_classification"), "light_state"))
        add_vehicle_lights(to, *lights);
    add_trajectory(to, object, "future_trajectory");
    if (trails != nullptr) add_trail(to, trails->objects, id, to.placement());
}

}  // namespace

MovingKind kind_of_moving_object(const MessageView& classified)
{
    const auto vehicle = message_in(classified, "vehicle_classification");
    const auto type = integer_in(classified, "type");
    MovingKind kind{look_of_moving_object(type, vehicle ? integer_in(*vehicle, "type") : std::nullopt),
                    words_in(classified, "type")};
    if (!vehicle || (type && kind.type != "vehicle")) return kind;
    auto vehicle_type = words_in(*vehicle, "type");
    if (!vehicle_type.empty() && vehicle_type != "unknown" && vehicle_type != "other")
        kind.type = std::move(vehicle_type);
    return kind;
}

void add_moving_objects(LayerBuilder& to, const MessageView& parent, std::string_view field,
                        std::optional<std::uint64_t> host, const Trails* trails)
{
    for_each_element(to, parent, field, moving_object, [&](const MessageView& object, std::size_t place) {
        const auto id = thing_id_in(object, place);
        add_moving_object(to, object, to.path(field, place), id, id.is_given && id.number == host, trails);
    });
}

void add_host_location(LayerBuilder& to, const MessageView& host_vehicle_data, std::string_view path, ThingId id)
{
    constexpr std::string_view what = "host vehicle";
    const auto base = read_base(host_vehicle_data, "location", what, to.notes());
    if (!base) return;
    auto& thing = to.add(Category::host, id, Look::host, std::string(path), std::string(what));
    if (!place_thing(thing, *base, to.placement(), what, to.notes())) return to.drop();
    add_body(to, message_in(host_vehicle_data, "location"), *base, {.look = Look::host, .drives = true});
    add_velocity(to);
}

void add_trail(LayerBuilder& to, const Trails::ById& trails, ThingId id, const Placement& global)
{
    constexpr float lift = 0.03F, width = 0.2F;  // m
    constexpr std::size_t most_pieces = 10;
    constexpr float strongest = 0.75F;
    const auto trail = id.is_given ? trails.find(id.number) : trails.end();
    if (trail == trails.end()) return;
    const auto& thing = to.thing();
    const float down = thing.size[2] / 2 - lift;
    std::vector<Point> line{thing.centre};
    for (const auto& [x, y, z] : trail->second)
        if (const auto point = global.point({x, y, z})) line.push_back(*point);
    if (line.size() < 2 || !to.has_room(line.size())) return;
    for (auto& point : line) point[2] -= down;
    const auto look = thing.look;
    const auto first = to.points(line);
    const auto pieces = std::min(most_pieces, line.size() - 1);
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto from = i * (line.size() - 1) / pieces, end = (i + 1) * (line.size() - 1) / pieces;
        const float strength = strongest * static_cast<float>(pieces - i) / static_cast<float>(pieces);
        to.line(look, first + static_cast<std::uint32_t>(from), end - from + 1, {.width = width, .strength = strength});
    }
}

void add_trajectory(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    const auto* const row = repeated_messages(parent.table(), field);
    if (row == nullptr) return;
    std::vector<Point> points;
    parent.for_each_element(*row, [&](const Value& value) {
        const auto position = vector_in(std::get<MessageView>(value), "position");
        const auto point = position ? to.placement().point(*position) : std::nullopt;
        if (point)
            points.push_back(*point);
        else
            to.notes().leave_out("trajectory point", "without a position");
        to.look();
        return to.has_room(points.size());
    });
    if (points.size() >= 2) to.line(Look::trajectory, points, {.arrow = true, .width = 0.1F});
}

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
