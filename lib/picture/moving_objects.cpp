// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/moving_objects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <ositrace/element_name.hpp>

#include "lib/picture/base.hpp"
#include "lib/picture/body.hpp"
#include "lib/picture/looks.hpp"

namespace ositrace::picture {

namespace {

constexpr std::string_view moving_object = "moving object";

/// The angle of a front wheel; 0 without one.
float steering_of(const MessageView& object)
{
    const auto attributes = message_in(object, "vehicle_attributes");
    const auto* const row = attributes ? repeated_messages(attributes->table(), "wheel_data") : nullptr;
    if (row == nullptr) return 0;
    double yaw = 0;
    attributes->for_each_element(*row, [&](const Value& value) {
        const auto& wheel = std::get<MessageView>(value);
        const bool is_front = integer_in(wheel, "axle").value_or(0) == 0;
        if (is_front) yaw = orientation_in(wheel, "orientation").yaw;
        return !is_front;
    });
    return std::isfinite(yaw) ? static_cast<float>(std::clamp(yaw, -1.0, 1.0)) : 0;
}

/// The label has the name of the scenario instead of the id.
void name_thing(Thing& thing, std::string_view name)
{
    constexpr std::size_t longest = 32;
    if (name.empty()) return;
    auto end = std::min(name.size(), longest);
    const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(name[i]) & 0xC0U) == 0x80U; };
    while (end > 0 && end < name.size() && continues(end)) --end;  // between characters of UTF-8
    thing.name = name.substr(0, end);
    thing.label = thing.type.empty() ? thing.name : thing.name + ' ' + thing.type;
}

void add_moving_object(LayerBuilder& to, const MessageView& object, std::string path, ThingId id, bool is_host,
                       const Trails* trails)
{
    const auto base = read_base(object, "base", moving_object, to.notes());
    if (!base) return;
    auto kind = kind_of_moving_object(object);
    const auto look = is_host ? Look::host : kind.look;
    auto& thing =
        to.add(is_host ? Category::host : Category::moving_object, id, look, std::move(path), std::move(kind.type));
    name_thing(thing, name_of(object));
    if (!place_thing(thing, *base, to.placement(), moving_object, to.notes())) return to.drop();
    add_body(to, message_in(object, "base"), *base,
             {.look = look, .drives = true, .shape = kind.shape, .steering = steering_of(object)});
    add_velocity(to);
    if (const auto lights = message_in(message_in(object, "vehicle_classification"), "light_state"))
        add_vehicle_lights(to, *lights, kind.shape);
    add_trajectory(to, object, "future_trajectory");
    if (trails != nullptr) add_trail(to, trails->objects, id, to.placement());
}

}  // namespace

MovingKind kind_of_moving_object(const MessageView& classified)
{
    const auto vehicle = message_in(classified, "vehicle_classification");
    const auto type = integer_in(classified, "type");
    const auto vehicle_type_number = vehicle ? integer_in(*vehicle, "type") : std::nullopt;
    MovingKind kind{look_of_moving_object(type, vehicle_type_number), words_in(classified, "type"),
                    shape_of_moving_object(type, vehicle_type_number)};
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

// IndicatorState, BrakeLightState and GenericLightState of OSI 3.8.0.
enum : std::int64_t { off = 2, left = 3, right = 4, warning = 5 };
enum : std::int64_t { brake_normal = 3, brake_hard = 4 };
enum : std::int64_t { generic_on = 3, last_flashing = 6 };

/// Where a shape has its lamps, in halves of its box: those of the left side. See gui/render/body_meshes.cpp.
struct LampPlaces {
    Vector front, rear;  ///< head lights, brake lights
    Vector front_indicator, rear_indicator;
    bool is_single = false;  ///< in the middle: of two wheels
};

LampPlaces lamp_places(BodyShape shape) noexcept
{
    switch (shape) {
    case BodyShape::car: return {{1, 0.55, -0.15}, {-1, 0.6, 0.05}, {0.97, 0.75, -0.15}, {-0.98, 0.78, 0.05}};
    case BodyShape::van: return {{1, 0.55, -0.3}, {-1, 0.82, -0.2}, {0.97, 0.78, -0.3}, {-1, 0.82, -0.02}};
    case BodyShape::truck:
    case BodyShape::tractor: return {{1, 0.68, -0.6}, {-1, 0.6, -0.6}, {1, 0.86, -0.5}, {-1, 0.85, -0.6}};
    case BodyShape::bus: return {{1, 0.66, -0.62}, {-1, 0.7, -0.5}, {1, 0.84, -0.62}, {-1, 0.84, -0.3}};
    case BodyShape::motorcycle:
    case BodyShape::bicycle:
    case BodyShape::scooter: return {{0.75, 0, 0.05}, {-0.8, 0, 0}, {0.6, 0.55, 0.1}, {-0.7, 0.35, 0}, true};
    default: return {{1, 0.65, -0.1}, {-1, 0.65, 0.1}, {1, 0.9, 0.1}, {-1, 0.9, 0.1}};
    }
}

/// A lamp on the body; its size as fractions of the vehicle's.
void add_lamp(LayerBuilder& to, Look look, Vector halves)
{
    const auto& thing = to.thing();
    const std::array<float, 3> size{0.03F * thing.size[0], 0.15F * thing.size[1], 0.08F * thing.size[2]};
    to.box(look, place_on(thing, halves), size, thing.rotation);
}

void add_lamp_pair(LayerBuilder& to, Look look, const Vector& left_one, bool is_single)
{
    add_lamp(to, look, left_one);
    if (!is_single) add_lamp(to, look, {left_one.x, -left_one.y, left_one.z});
}

void add_brake_lights(LayerBuilder& to, std::int64_t state, const LampPlaces& places)
{
    if (state < off || state > brake_hard) return;  // unknown
    const auto look = state == off ? Look::brake_off : state == brake_normal ? Look::brake_on : Look::brake_strong;
    add_lamp_pair(to, look, places.rear, places.is_single);
}

void add_indicators(LayerBuilder& to, std::int64_t state, const LampPlaces& places)
{
    if (state < off || state > warning) return;
    for (const double side : {-1.0, 1.0}) {
        const bool lit = state == warning || state == (side > 0 ? left : right);
        for (const auto& place : {places.front_indicator, places.rear_indicator})
            add_lamp(to, lit ? Look::indicator_on : Look::indicator_off, {place.x, side * place.y, place.z});
    }
}

bool is_on(const MessageView& light_state, std::string_view field)
{
    const auto state = integer_in(light_state, field).value_or(0);
    return state >= generic_on && state <= last_flashing;
}

}  // namespace

void add_vehicle_lights(LayerBuilder& to, const MessageView& light_state, BodyShape shape)
{
    const auto places = lamp_places(shape);
    add_brake_lights(to, integer_in(light_state, "brake_light_state").value_or(0), places);
    add_indicators(to, integer_in(light_state, "indicator_state").value_or(0), places);
    if (is_on(light_state, "head_light") || is_on(light_state, "high_beam"))
        add_lamp_pair(to, Look::light_white, places.front, places.is_single);
    if (is_on(light_state, "reversing_light"))
        add_lamp_pair(to, Look::light_white, {places.rear.x, places.rear.y / 2, places.rear.z}, places.is_single);
    if (is_on(light_state, "emergency_vehicle_illumination"))
        add_lamp_pair(to, Look::light_blue, {0.1, 0.4, 1}, places.is_single);
}

}  // namespace ositrace::picture
