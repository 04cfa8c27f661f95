// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/base.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::picture {

namespace {

constexpr double largest_size = 1e5;     // m
constexpr double smallest_drawn = 0.01;  // m: a board without a thickness stays visible
constexpr double size_of_unsized = 0.5;  // m
constexpr double slowest_arrow = 0.1;    // m/s
constexpr double fastest = 1e5;          // m/s

/// What is wrong with a size; empty if it is valid.
std::string_view flaw_of_size(const std::optional<Vector>& v) noexcept
{
    if (!v || (v->x == 0 && v->y == 0 && v->z == 0)) return "without a size";
    if (!is_finite(*v)) return "with a size that is not finite";
    if (v->x < 0 || v->y < 0 || v->z < 0) return "with a negative size";
    return std::max({v->x, v->y, v->z}) > largest_size ? "with a size over 100 km" : std::string_view();
}

/// What is wrong with a pose; empty if it is valid.
std::string_view flaw_of_pose(Vector position, Orientation turned) noexcept
{
    if (!is_finite(position)) return "with a position that is not finite";
    if (!is_place(position)) return "with a position over 100 000 km away";
    if (!is_finite(Vector{turned.roll, turned.pitch, turned.yaw})) return "with an orientation that is not finite";
    return is_turn(turned) ? std::string_view() : "with an orientation over 10 000 rad";
}

Vector to_vector(const std::array<float, 3>& v) noexcept
{
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

std::optional<Vector> size_in(const MessageView& base)
{
    const auto dimension = message_in(base, "dimension");
    if (!dimension) return std::nullopt;
    return Vector{real_in(*dimension, "length").value_or(0), real_in(*dimension, "width").value_or(0),
                  real_in(*dimension, "height").value_or(0)};
}

void read_size(const MessageView& from, Base& base, std::string_view what, Notes& notes)
{
    const auto size = size_in(from);
    const auto flaw = flaw_of_size(size);
    base.has_size = flaw.empty();
    if (base.has_size) {
        base.size = {std::max(size->x, smallest_drawn), std::max(size->y, smallest_drawn),
                     std::max(size->z, smallest_drawn)};
        return;
    }
    base.size = {size_of_unsized, size_of_unsized, size_of_unsized};
    notes.make_do(what, flaw, "shown small");
}

/// The velocity of a thing that moves. A value that cannot be drawn is kept for readers of the picture.
std::optional<Vector> read_velocity(const MessageView& from, Notes& notes)
{
    const auto message = message_in(from, "velocity");
    const auto is_set = [&](std::string_view axis) { return real_in(*message, axis).has_value(); };
    if (!message || !(is_set("x") || is_set("y") || is_set("z"))) return std::nullopt;
    const auto velocity = vector_of(*message);
    if (!is_finite(velocity))
        notes.leave_out("velocity", "with a number that is not finite");
    else if (!(velocity.length() <= fastest))
        notes.leave_out("velocity", "over 100 000 m/s");
    return velocity;
}

}  // namespace

std::optional<Base> read_base(const MessageView& thing, std::string_view field, std::string_view what, Notes& notes)
{
    return base_of(message_in(thing, field), what, notes);
}

std::optional<Base> base_of(const std::optional<MessageView>& from, std::string_view what, Notes& notes)
{
    const auto position = from ? vector_in(*from, "position") : std::nullopt;
    if (!position) {
        notes.leave_out(what, "without a position");
        return std::nullopt;
    }
    Base base;
    base.position = *position;
    base.orientation = orientation_in(*from, "orientation");
    if (const auto flaw = flaw_of_pose(base.position, base.orientation); !flaw.empty()) {
        notes.leave_out(what, flaw);
        return std::nullopt;
    }
    read_size(*from, base, what, notes);
    base.velocity = read_velocity(*from, notes);
    return base;
}

bool place_thing(Thing& thing, const Base& base, const Placement& placement, std::string_view what, Notes& notes)
{
    const auto centre = placement.point(base.position);
    if (!centre) {
        notes.leave_out(what, "too far away");
        return false;
    }
    thing.centre = *centre;
    thing.size = to_point(base.size);
    thing.rotation = to_angles(placement.turn(base.orientation));
    thing.has_size = base.has_size;
    if (!base.velocity) return true;
    const auto v = is_finite(*base.velocity) ? placement.turn(*base.velocity) : *base.velocity;
    thing.velocity = {v.x, v.y, v.z};
    return true;
}

Point place_on(const Thing& thing, Vector halves) noexcept
{
    const auto turn = to_vector(thing.rotation), size = to_vector(thing.size);
    const Rotation rotation({turn.x, turn.y, turn.z});
    const auto at = rotation.to_parent({halves.x * size.x / 2, halves.y * size.y / 2, halves.z * size.z / 2});
    return to_point(to_vector(thing.centre) + at);
}

void add_velocity(LayerBuilder& to, Look look)
{
    const auto& thing = to.thing();
    if (!thing.velocity) return;
    const auto& [x, y, z] = *thing.velocity;
    const auto speed = std::hypot(x, y, z);
    if (!(speed >= slowest_arrow && speed <= fastest)) return;
    const auto way = to_point({x, y, z});
    const std::array<Point, 2> ends{
        thing.centre, Point{thing.centre[0] + way[0], thing.centre[1] + way[1], thing.centre[2] + way[2]}};
    to.line(look, ends, {.arrow = true, .width = 0.15F});
}

}  // namespace ositrace::picture
