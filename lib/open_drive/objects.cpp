// SPDX-License-Identifier: MPL-2.0
// Objects as stationary objects and road markings: osi_object.proto, osi_roadmarking.proto.
#include <algorithm>
#include <array>
#include <cmath>

#include <ositrace/error.hpp>

#include "lib/open_drive/assigned_lanes.hpp"
#include "lib/open_drive/map_writer.hpp"

namespace ositrace::open_drive {

namespace {

constexpr std::size_t max_copies = 1'000'000;

struct ObjectRow {
    std::string_view name;  ///< type of OpenDRIVE
    std::string_view type;  ///< of osi3.StationaryObject; empty: it is painted on the road
};

constexpr std::array object_rows{
    ObjectRow{"barrier", "TYPE_BARRIER"},
    ObjectRow{"building", "TYPE_BUILDING"},
    ObjectRow{"bridge", "TYPE_BRIDGE"},
    ObjectRow{"crosswalk", ""},
    ObjectRow{"gantry", "TYPE_OVERHEAD_STRUCTURE"},
    ObjectRow{"guardRail", "TYPE_BARRIER"},
    ObjectRow{"parkingSpace", ""},
    ObjectRow{"patch", ""},
    ObjectRow{"pole", "TYPE_POLE"},
    ObjectRow{"railing", "TYPE_BARRIER"},
    ObjectRow{"roadMark", ""},
    ObjectRow{"roadSurface", ""},
    ObjectRow{"soundBarrier", "TYPE_WALL"},
    ObjectRow{"streetLamp", "TYPE_POLE"},
    ObjectRow{"trafficIsland", "TYPE_CURBSTONE"},
    ObjectRow{"tree", "TYPE_TREE"},
    ObjectRow{"vegetation", "TYPE_VEGETATION"},
    ObjectRow{"wall", "TYPE_WALL"},
};

std::string_view stationary_type(const Object& object)
{
    if (object.type == "barrier" && object.subtype == "wall") return "TYPE_WALL";
    const auto* const row = std::ranges::find(object_rows, object.type, &ObjectRow::name);
    return row == object_rows.end() ? std::string_view("TYPE_OTHER") : row->type;
}

/// A box with an outline, in the map's coordinates.
struct Body {
    Vector center;
    Orientation orientation;
    Vector dimension;
    std::vector<Vector> polygon;  ///< in the frame of the body
};

Vector turned(Vector v, double yaw)
{
    const double s = std::sin(yaw), c = std::cos(yaw);
    return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/// Rz(yaw) Ry(pitch) Rx(roll)
Vector turned(Vector v, Orientation by)
{
    const double sr = std::sin(by.roll), cr = std::cos(by.roll), sp = std::sin(by.pitch), cp = std::cos(by.pitch);
    const Vector rolled{v.x, cr * v.y - sr * v.z, sr * v.y + cr * v.z};
    return turned({cp * rolled.x + sp * rolled.z, rolled.y, cp * rolled.z - sp * rolled.x}, by.yaw);
}

void make_counter_clockwise(std::vector<Vector>& polygon)
{
    double area = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const auto &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        area += a.x * b.y - b.x * a.y;
    }
    if (area < 0) std::ranges::reverse(polygon);
}

/// The box about corners that are given in the frame of `origin` turned by `orientation`; their z is the bottom.
Body body_around(std::vector<Vector> corners, double height, Vector origin, Orientation orientation)
{
    Vector low = corners.front(), high = low;
    for (const auto& corner : corners) {
        low = {std::min(low.x, corner.x), std::min(low.y, corner.y), std::min(low.z, corner.z)};
        high = {std::max(high.x, corner.x), std::max(high.y, corner.y), std::max(high.z, corner.z)};
    }
    high.z += height;
    const auto center = between(low, high, 0.5);
    for (auto& corner : corners) corner = {corner.x - center.x, corner.y - center.y, 0};
    make_counter_clockwise(corners);
    return {origin + turned(center, orientation), orientation, high - low, std::move(corners)};
}

class ObjectWriter {
public:
    ObjectWriter(MapWriter& map, std::size_t road, const Object& object)
        : map_(map), road_(road), object_(object), surface_(map.document().roads[road]), type_(stationary_type(object))
    {
    }

    /// `copies_left`: of max_copies in the whole map.
    void write(std::size_t& copies_left)
    {
        if (object_.repeats.empty()) {
            write_body(body());
            return;
        }
        for (const auto& repeat : object_.repeats) write_copies(repeat, copies_left);
    }

private:
    [[nodiscard]] RoadFrame frame_at(double s) const
    {
        return surface_.frame(std::clamp(s, 0.0, surface_.road().length));
    }

    [[nodiscard]] Body body() const
    {
        const auto& place = object_.place;
        const auto frame = frame_at(place.s);
        const Orientation orientation{place.roll, place.pitch, frame.heading + place.heading};
        const auto origin = surface_.point(frame, place.t, place.z_offset);
        const auto outline = std::ranges::find_if(
            object_.outlines, [](const Outline& candidate) { return candidate.corners.size() >= 3; });
        if (outline != object_.outlines.end()) return outlined(*outline, origin, orientation);
        return box(object_.length, object_.width, object_.height, object_.radius, origin, orientation);
    }

    [[nodiscard]] Body outlined(const Outline& outline, Vector origin, Orientation orientation) const
    {
        std::vector<Vector> corners;
        double height = 0;
        if (outline.on_road) orientation = {0, 0, orientation.yaw};  // its corners are places in the map
        for (const auto& corner : outline.corners) {
            height = std::max(height, corner.height);
            if (outline.on_road) {
                const auto at = surface_.point(frame_at(corner.x), corner.y, corner.z) - origin;
                corners.push_back(turned(at, -orientation.yaw));
            } else {
                corners.push_back({corner.x, corner.y, corner.z});
            }
        }
        return body_around(std::move(corners), height, origin, orientation);
    }

    static Body box(double length, double width, double height, double radius, Vector origin, Orientation orientation)
    {
        if (radius > 0) length = width = 2 * radius;
        return {origin + turned({0, 0, height / 2}, orientation), orientation, {length, width, height}, {}};
    }

    /// A distance of 0: one object along the road, which becomes boxes between stations.
    void write_copies(const Repeat& repeat, std::size_t& copies_left)
    {
        constexpr double longest_piece = 5, shortest = 0.01;
        const double length = std::clamp(repeat.length, 0.0, std::max(0.0, surface_.road().length - repeat.s));
        const bool is_continuous = repeat.distance < shortest;
        const double step = is_continuous
                                ? std::max(shortest, length / std::max(1.0, std::ceil(length / longest_piece)))
                                : repeat.distance;
        const double count =
            is_continuous ? std::max(1.0, std::round(length / step)) : std::floor(length / step + 1e-9) + 1;
        if (count > static_cast<double>(copies_left))
            return map_.repeats().add(Cause::limit, [&] {
                return "object " + object_.id + " of road " + surface_.road().id + " is repeated more than " +
                       std::to_string(copies_left) + " times; its copies are left out";
            });
        copies_left -= static_cast<std::size_t>(count);
        for (double i = 0; i < count; ++i)
            write_body(is_continuous ? piece(repeat, i * step, (i + 1) * step, length)
                                     : copy(repeat, i * step, length));
    }

    static double at(const Repeat::Range& range, double part) { return range.start + part * (range.end - range.start); }

    [[nodiscard]] double width(const Repeat& repeat, double part) const
    {
        return repeat.has_width ? at(repeat.width, part) : object_.width;
    }
    [[nodiscard]] double height(const Repeat& repeat, double part) const
    {
        return repeat.has_height ? at(repeat.height, part) : object_.height;
    }

    [[nodiscard]] Body copy(const Repeat& repeat, double ds, double length) const
    {
        const double part = length > 0 ? ds / length : 0;
        const auto frame = frame_at(repeat.s + ds);
        const auto& place = object_.place;
        return box(repeat.has_length ? at(repeat.object_length, part) : object_.length, width(repeat, part),
                   height(repeat, part), repeat.has_radius ? at(repeat.radius, part) : object_.radius,
                   surface_.point(frame, at(repeat.t, part), at(repeat.z_offset, part)),
                   {place.roll, place.pitch, frame.heading + place.heading});
    }

    [[nodiscard]] Body piece(const Repeat& repeat, double from, double to, double length) const
    {
        const auto place = [&](double ds) {
            const double part = length > 0 ? ds / length : 0;
            return surface_.point(frame_at(repeat.s + ds), at(repeat.t, part), at(repeat.z_offset, part));
        };
        const auto begin = place(from), end = place(to);
        const double part = length > 0 ? (from + to) / 2 / length : 0;
        const double plan = distance(begin, end);
        const Orientation orientation{0, -std::atan2(end.z - begin.z, plan),
                                      std::atan2(end.y - begin.y, end.x - begin.x)};
        return box(std::hypot(plan, end.z - begin.z), width(repeat, part), height(repeat, part), 0,
                   between(begin, end, 0.5), orientation);
    }

    void write_body(const Body& body)
    {
        if (type_.empty())
            write_marking(body);
        else
            write_stationary(body);
    }

    void write_stationary(const Body& body)
    {
        map_.add(Part::stationary_object, [&](NamedWriter& out) {
            out.id("id", map_.new_id());
            out.message("base", [&] {
                write_dimension(out, "dimension", body.dimension);
                write_vector(out, "position", body.center);
                write_orientation(out, "orientation", body.orientation);
                for (const auto& corner : body.polygon)
                    out.message("base_polygon", [&] {
                        out.real("x", corner.x);
                        out.real("y", corner.y);
                    });
            });
            out.message("classification", [&] { out.enumeration("type", type_); });
            write_source(out, {object_.id});
        });
    }

    /// OSI: the x axis of a marking points to the sky, its z axis from the bottom to the top of the picture, which is
    /// the direction of the object.
    void write_marking(const Body& body)
    {
        Assignments assignments;
        assignments.add(map_.network(), map_.document(), road_, object_.place.s, object_.place.t, Facing::both,
                        object_.validities);
        map_.add(Part::road_marking, [&](NamedWriter& out) {
            out.id("id", map_.new_id());
            out.message("base", [&] {
                write_dimension(out, "dimension", {body.dimension.z, body.dimension.y, body.dimension.x});
                write_vector(out, "position", body.center);
                write_orientation(out, "orientation", {0, -pi / 2, body.orientation.yaw + pi});
            });
            out.message("classification", [&] {
                const bool is_crosswalk =
                    object_.type == "crosswalk" || object_.subtype == "crosswalk" || object_.subtype == "zebra";
                out.enumeration("type", is_crosswalk ? "TYPE_SYMBOLIC_TRAFFIC_SIGN" : "TYPE_GENERIC_SYMBOL");
                if (is_crosswalk) out.enumeration("traffic_main_sign_type", "TYPE_ZEBRA_CROSSING");
                out.enumeration("monochrome_color", "COLOR_WHITE");
                assignments.write_physical(out, map_.network());
                if (is_crosswalk) {  // OSI wants all four of a sign; an object of OpenDRIVE has neither code nor
                                     // revision
                    write_text(out, "country", country());
                    write_text(out, "country_revision", "");
                    write_text(out, "code", "");
                    write_text(out, "sub_code", "");
                }
                assignments.write_logical(out, map_.network());
            });
            write_source(out, {object_.id});
        });
    }

    /// That of the road where the object is.
    [[nodiscard]] std::string_view country() const
    {
        std::string_view country;
        for (const auto& type : surface_.road().types)
            if (!type.country.empty() && (type.s <= object_.place.s || country.empty())) country = type.country;
        return alpha_2(country);
    }

    MapWriter& map_;
    std::size_t road_;
    const Object& object_;
    RoadSurface surface_;
    std::string_view type_;
};

}  // namespace

void write_objects(MapWriter& map)
{
    std::size_t copies_left = max_copies;
    const auto& roads = map.document().roads;
    for (std::size_t r = 0; r < roads.size(); ++r)
        for (const auto& object : roads[r].objects) ObjectWriter(map, r, object).write(copies_left);
}

}  // namespace ositrace::open_drive
