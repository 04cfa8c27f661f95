// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/base.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::picture {

namespace {

constexpr double largest_size = 1e5;      // m
constexpr double smallest_drawn = 0.01;   // m: a board without a thickness is seen all the same
constexpr double size_of_unsized = 0.5;   // m
constexpr float slowest_arrow = 0.1F;     // m/s
constexpr double fastest = 1e5;           // m/s

bool is_size(Vector v) noexcept
{
    const auto fits = [](double x) { return x >= 0 && x <= largest_size; };
    return fits(v.x) && fits(v.y) && fits(v.z);
}

Vector to_vector(const std::array<float, 3>& v) noexcept
{
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

std::optional<Vector> size_in(const MessageView& base)
{
    const auto dimension = message_in(base, "dimension");
    if (!dimension) return std::nullopt;
    return Vector{real_in(*dimension, "length").value_or(0), real_in(*dimension, "width").value_or(0), real_in(*dimension, "height").value_or(0)};
}

void read_size(const MessageView& from, Base& base, std::string_view what, Notes& notes)
{
    const auto size = size_in(from);
    base.has_size = size && is_size(*size) && size->x + size->y + size->z > 0;
    if (base.has_size) {
        base.size = {std::max(size->x, smallest_drawn), std::max(size->y, smallest_drawn), std::max(size->z, smallest_drawn)};
        return;
    }
    base.size = {size_of_unsized, size_of_unsized, size_of_unsized};
    notes.make_do(what, "without a size", "shown small");
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
    if (!is_place(base.position) || !is_turn(base.orientation)) {
        notes.leave_out(what, "with a position that is no place");
        return std::nullopt;
    }
    read_size(*from, base, what, notes);
    const auto velocity = vector_in(*from, "velocity").value_or(Vector{});
    if (velocity.length() <= fastest) base.velocity = velocity;
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
    thing.velocity = to_point(placement.turn(base.velocity));
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
    const auto& v = thing.velocity;
    if (std::hypot(v[0], v[1], v[2]) < slowest_arrow) return;
    const std::array<Point, 2> ends{thing.centre, Point{thing.centre[0] + v[0], thing.centre[1] + v[1], thing.centre[2] + v[2]}};
    to.line(look, ends, {.arrow = true, .width = 0.15F});
}

}  // namespace ositrace::picture
