// SPDX-License-Identifier: MPL-2.0
#include <ositrace/body_meshes.hpp>

#include <cmath>
#include <numbers>
#include <span>

#include "lib/picture/placement.hpp"

namespace ositrace {

namespace {

using picture::to_point;
using scene::Vector;
using Paint = BodyPaint;

/// A cross-section of a hull. Places are fractions of the box: `x` from the rear to the front, `bottom`, `belt` (below
/// the windows) and `top` from the ground to the roof, `half` (at the belt) and `roof` from the middle to the side.
struct Section {
    double x, half, bottom, belt, top, roof;
    Paint windows = Paint::body;  ///< what is between belt and top up to the next section, and at an end
    Paint above = Paint::body;    ///< what is on top up to the next section
};

struct Wheels {
    double x, radius, width;  ///< fractions of the length and of the height
    bool steers = false;
    bool is_pair = true;  ///< else in the middle
};

/// A limb: from one place to another, places as those of a Section with the side from -1 to 1; radii in heights.
struct Limb {
    std::array<double, 3> from, to;
    double thick, thin;
    Paint paint = Paint::body;
};

struct Plan {
    std::vector<std::vector<Section>> hulls = {};
    std::vector<Wheels> wheels = {};
    std::vector<Limb> limbs = {};
    std::vector<std::array<double, 4>> heads = {};  ///< place and radius
};

Point unit_place(double x, double side, double z) noexcept
{
    return {static_cast<float>(x - 0.5), static_cast<float>(side / 2), static_cast<float>(z - 0.5)};
}

class MeshMaker {
public:
    explicit MeshMaker(std::vector<BodyVertex>& vertices) : vertices_(vertices) {}

    void hull(std::span<const Section> sections)
    {
        for (std::size_t i = 0; i + 1 < sections.size(); ++i) between(sections[i], sections[i + 1]);
        cap(sections.front(), 1);
        cap(sections.back(), -1);
    }

    void wheels(const Wheels& plan)
    {
        if (!plan.is_pair) return wheel(plan, 0, plan.width / 2, 1);
        for (const double side : {-1.0, 1.0}) wheel(plan, side, 0, side);
    }

    /// Eight sides, closed by cones so that joints look round.
    void limb(const Limb& limb)
    {
        const auto along = axis_of(limb);
        const Vector other = std::abs(along.z) < 0.9 ? Vector{0, 0, 1} : Vector{1, 0, 0};
        const auto side = normalized(cross(along, other)), up = cross(side, along);
        const auto from = unit_place(limb.from[0], limb.from[1], limb.from[2]),
                   to = unit_place(limb.to[0], limb.to[1], limb.to[2]);
        for (int i = 0; i < limb_sides; ++i) {
            const auto a = around(side, up, i), b = around(side, up, i + 1);
            const auto normal = normalized(a + b);
            quad({from, limb.thick * a}, {to, limb.thin * a}, {to, limb.thin * b}, {from, limb.thick * b}, normal,
                 limb.paint);
            triangle({from, limb.thick * b}, {from, -0.7 * limb.thick * along}, {from, limb.thick * a}, -1.0 * along,
                     limb.paint);
            triangle({to, limb.thin * a}, {to, 0.7 * limb.thin * along}, {to, limb.thin * b}, along, limb.paint);
        }
    }

    void head(const std::array<double, 4>& plan)
    {
        constexpr int rings = 4;
        const auto centre = unit_place(plan[0], plan[1], plan[2]);
        const auto at = [&](int ring, int i) {
            const double polar = std::numbers::pi * ring / rings, angle = 2 * std::numbers::pi * i / limb_sides;
            return Vector{std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)};
        };
        for (int ring = 0; ring < rings; ++ring) {
            for (int i = 0; i < limb_sides; ++i) {
                const auto a = at(ring, i), b = at(ring + 1, i), c = at(ring + 1, i + 1), d = at(ring, i + 1);
                quad({centre, plan[3] * a}, {centre, plan[3] * b}, {centre, plan[3] * c}, {centre, plan[3] * d},
                     normalized(a + b + c + d), Paint::skin);
            }
        }
    }

private:
    static constexpr int limb_sides = 8, wheel_sides = 12;
    struct Corner {
        Point place{};
        Vector offset{};
    };

    static Vector to_vector(const Point& p) noexcept
    {
        return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
    }
    static Vector cross(const Vector& a, const Vector& b) noexcept
    {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
    static Vector normalized(const Vector& v) noexcept
    {
        const double size = v.length();
        return size > 0 ? (1 / size) * v : Vector{0, 0, 1};
    }
    static Vector around(const Vector& side, const Vector& up, int i) noexcept
    {
        const double angle = 2 * std::numbers::pi * i / limb_sides;
        return std::cos(angle) * side + std::sin(angle) * up;
    }
    /// As in a box of 1.8 x 0.6 x 1.8 m, about that of a cyclist.
    static Vector axis_of(const Limb& limb) noexcept
    {
        return normalized({limb.to[0] - limb.from[0], (limb.to[1] - limb.from[1]) / 6, limb.to[2] - limb.from[2]});
    }

    void triangle(const Corner& a, const Corner& b, const Corner& c, const Vector& normal, Paint paint,
                  bool steers = false)
    {
        for (const auto* corner : {&a, &b, &c})
            vertices_.push_back({corner->place, to_point(corner->offset), to_point(normal), static_cast<float>(paint),
                                 steers ? 1.F : 0.F});
    }
    void quad(const Corner& a, const Corner& b, const Corner& c, const Corner& d, const Vector& normal, Paint paint,
              bool steers = false)
    {
        triangle(a, b, c, normal, paint, steers);
        triangle(a, c, d, normal, paint, steers);
    }
    /// Its normal is that of its corners, away from `inside`.
    void panel(const Point& a, const Point& b, const Point& c, const Point& d, const Point& inside, Paint paint)
    {
        auto normal = normalized(cross(to_vector(c) - to_vector(a), to_vector(d) - to_vector(b)));
        if (dot(normal, 0.25 * (to_vector(a) + to_vector(b) + to_vector(c) + to_vector(d)) - to_vector(inside)) < 0)
            normal = -1.0 * normal;
        quad({a}, {b}, {c}, {d}, normal, paint);
    }

    static constexpr double sill = 0.85;  ///< of the way from belt to top: the upper edge of the windows
    /// The right half of a section, from below: bottom, flank, belt, upper edge of the windows, roof.
    static std::array<Point, 5> outline(const Section& section, double side) noexcept
    {
        const auto& [x, half, bottom, belt, top, roof, windows, above] = section;
        const double flank = bottom + 0.45 * (belt - bottom);
        return {unit_place(x, side * 0.92 * half, bottom), unit_place(x, side * half, flank),
                unit_place(x, side * 0.98 * half, belt),
                unit_place(x, side * (0.98 * half + sill * (roof - 0.98 * half)), belt + sill * (top - belt)),
                unit_place(x, side * roof, top)};
    }

    void between(const Section& front, const Section& rear)
    {
        const auto inside = unit_place((front.x + rear.x) / 2, 0, (front.bottom + front.top) / 2);
        for (const double side : {-1.0, 1.0}) {
            const auto a = outline(front, side), b = outline(rear, side);
            for (std::size_t i = 0; i + 1 < a.size(); ++i)
                panel(a[i], a[i + 1], b[i + 1], b[i], inside, i == 2 ? front.windows : Paint::body);
        }
        panel(outline(front, -1)[4], outline(front, 1)[4], outline(rear, 1)[4], outline(rear, -1)[4], inside,
              front.above);
    }

    /// The front or the rear end.
    void cap(const Section& section, double direction)
    {
        const auto a = outline(section, -1), b = outline(section, 1);
        const auto inside = unit_place(section.x - direction, 0, 0.5);
        for (std::size_t i = 0; i + 1 < a.size(); ++i)
            panel(a[i], a[i + 1], b[i + 1], b[i], inside, i == 2 ? section.windows : Paint::body);
    }

    /// `outwards`: the side that is seen; `inner`: how far its outer face is from the hub, in heights.
    void wheel(const Wheels& plan, double side, double inner, double outwards)
    {
        const auto hub = unit_place(plan.x, side, plan.radius);
        const double outer_y = outwards * inner, inner_y = outer_y - outwards * plan.width;
        const auto rim = [&](int i, double radius, double y) {
            const double angle = 2 * std::numbers::pi * i / wheel_sides;
            return Corner{hub, {radius * std::cos(angle), y, radius * std::sin(angle)}};
        };
        const double spokes = 0.62 * plan.radius;
        for (int i = 0; i < wheel_sides; ++i) {
            const auto a = rim(i, plan.radius, outer_y), b = rim(i + 1, plan.radius, outer_y);
            const auto c = rim(i + 1, plan.radius, inner_y), d = rim(i, plan.radius, inner_y);
            quad(a, b, c, d, normalized({a.offset.x + b.offset.x, 0, a.offset.z + b.offset.z}), Paint::tyre,
                 plan.steers);
            for (const double y : {outer_y, inner_y}) {
                if (y == inner_y && plan.is_pair) continue;
                const Vector face{0, y == outer_y ? outwards : -outwards, 0};
                const auto in_a = rim(i, spokes, y), in_b = rim(i + 1, spokes, y);
                quad(rim(i, plan.radius, y), rim(i + 1, plan.radius, y), in_b, in_a, face, Paint::tyre, plan.steers);
                triangle(in_a, in_b, {hub, {0, y, 0}}, face, Paint::rim, plan.steers);
            }
        }
    }

    std::vector<BodyVertex>& vertices_;
};

// The proportions are those of common vehicles, seen from the side.

constexpr auto glass = Paint::glass, body = Paint::body;

std::vector<Limb> legs(double hip_x, double hip_z, double knee_x, double knee_z, double foot_x, double foot_z,
                       double side)
{
    std::vector<Limb> limbs;
    for (const double at : {-side, side}) {
        limbs.push_back({{hip_x, at, hip_z}, {knee_x, at, knee_z}, 0.05, 0.04, Paint::trim});
        limbs.push_back({{knee_x, at, knee_z}, {foot_x, at, foot_z}, 0.04, 0.03, Paint::trim});
    }
    return limbs;
}

std::vector<Limb> joined(std::vector<Limb> some, const std::vector<Limb>& more)
{
    some.insert(some.end(), more.begin(), more.end());
    return some;
}

std::vector<Limb> arms(double shoulder_x, double shoulder_z, double hand_x, double hand_z, double shoulder, double hand)
{
    return {{{shoulder_x, -shoulder, shoulder_z}, {hand_x, -hand, hand_z}, 0.03, 0.025},
            {{shoulder_x, shoulder, shoulder_z}, {hand_x, hand, hand_z}, 0.03, 0.025}};
}

Plan plan_of(BodyShape shape)
{
    const std::vector<Section> cab{{1, 0.9, 0.10, 0.44, 0.86, 0.82, glass, body},
                                   {0.985, 0.96, 0.08, 0.46, 0.90, 0.88, glass, body},
                                   {0.90, 0.96, 0.08, 0.46, 0.92, 0.88, body, body},
                                   {0.80, 0.96, 0.08, 0.46, 0.92, 0.88, body, body}};
    const auto cuboid = [](double rear, double front, double bottom, double top, double half) {
        return std::vector<Section>{{front, half, bottom, (bottom + top) / 2, top, half * 0.98},
                                    {rear, half, bottom, (bottom + top) / 2, top, half * 0.98}};
    };
    switch (shape) {
    case BodyShape::box: return {};  // of its own: see below
    case BodyShape::car:
        return {{{{1, 0.70, 0.24, 0.42, 0.46, 0.60},
                  {0.975, 0.86, 0.18, 0.45, 0.50, 0.76},
                  {0.90, 0.94, 0.16, 0.51, 0.56, 0.84},
                  {0.73, 1, 0.14, 0.58, 0.65, 0.86, glass, glass},
                  {0.55, 1, 0.14, 0.61, 0.97, 0.68, glass, body},
                  {0.38, 1, 0.14, 0.62, 1, 0.70, glass, body},
                  {0.20, 1, 0.14, 0.63, 0.96, 0.68, glass, glass},
                  {0.07, 0.97, 0.16, 0.62, 0.68, 0.80},
                  {0.015, 0.90, 0.20, 0.58, 0.64, 0.78},
                  {0, 0.80, 0.26, 0.50, 0.60, 0.70}}},
                {{0.81, 0.225, 0.15, true}, {0.185, 0.225, 0.15}}};
    case BodyShape::van:
        return {{{{1, 0.74, 0.20, 0.36, 0.42, 0.68},
                  {0.97, 0.92, 0.14, 0.42, 0.48, 0.82},
                  {0.85, 0.98, 0.12, 0.47, 0.54, 0.88, glass, glass},
                  {0.70, 1, 0.12, 0.52, 0.97, 0.82, glass, body},
                  {0.54, 1, 0.12, 0.52, 1, 0.84},
                  {0.03, 1, 0.12, 0.52, 1, 0.84},
                  {0, 0.97, 0.14, 0.52, 0.97, 0.80, glass}}},
                {{0.82, 0.165, 0.11, true}, {0.20, 0.165, 0.11}}};
    case BodyShape::truck:
        return {{cab, cuboid(0, 0.78, 0.32, 1, 1), cuboid(0, 0.80, 0.14, 0.30, 0.7)},
                {{0.89, 0.14, 0.09, true}, {0.30, 0.14, 0.13}, {0.16, 0.14, 0.13}}};
    case BodyShape::tractor: {
        auto wide = cab;
        for (auto& section : wide) section.x = 1 - 2.2 * (1 - section.x);
        return {{wide, cuboid(0, 0.6, 0.14, 0.27, 0.7)}, {{0.80, 0.135, 0.09, true}, {0.20, 0.135, 0.13}}};
    }
    case BodyShape::semitrailer:
        return {{cuboid(0, 1, 0.30, 1, 1), cuboid(0, 0.9, 0.18, 0.28, 0.7)},
                {{0.12, 0.13, 0.12}, {0.22, 0.13, 0.12}, {0.32, 0.13, 0.12}}};
    case BodyShape::trailer:
        return {{cuboid(0, 0.82, 0.22, 1, 0.96)},
                {{0.40, 0.16, 0.10}},
                {{{0.82, 0, 0.24}, {1, 0, 0.24}, 0.03, 0.02, Paint::trim}}};
    case BodyShape::bus:
        return {{{{1, 0.94, 0.11, 0.34, 0.93, 0.88, glass, body},
                  {0.985, 1, 0.09, 0.38, 0.98, 0.93, glass, body},
                  {0.02, 1, 0.09, 0.38, 1, 0.93, body, body},
                  {0, 0.97, 0.10, 0.45, 0.97, 0.90, glass}}},
                {{0.80, 0.155, 0.10, true}, {0.25, 0.155, 0.12}}};
    case BodyShape::train:
        return {{{{1, 0.70, 0.10, 0.36, 0.62, 0.56, glass, glass},
                  {0.95, 0.94, 0.06, 0.42, 0.92, 0.80, glass, body},
                  {0.90, 1, 0.05, 0.44, 1, 0.86, glass, body},
                  {0.10, 1, 0.05, 0.44, 1, 0.86, glass, body},
                  {0.05, 0.94, 0.06, 0.42, 0.92, 0.80, glass, glass},
                  {0, 0.70, 0.10, 0.36, 0.62, 0.56, glass, glass}}}};
    case BodyShape::motorcycle:
        return {{{{0.74, 0.18, 0.34, 0.46, 0.56, 0.14},
                  {0.56, 0.34, 0.16, 0.44, 0.56, 0.20},
                  {0.30, 0.30, 0.16, 0.40, 0.46, 0.22},
                  {0.06, 0.14, 0.36, 0.42, 0.46, 0.10}}},
                {{0.82, 0.19, 0.08, true, false}, {0.18, 0.19, 0.10, false, false}},
                joined(joined(legs(0.36, 0.50, 0.58, 0.42, 0.46, 0.12, 0.40), arms(0.50, 0.80, 0.70, 0.58, 0.45, 0.75)),
                       {{{0.36, 0, 0.52}, {0.48, 0, 0.80}, 0.09, 0.10},
                        {{0.70, -0.8, 0.58}, {0.70, 0.8, 0.58}, 0.015, 0.015, Paint::trim},
                        {{0.70, 0, 0.58}, {0.82, 0, 0.19}, 0.025, 0.02, Paint::trim}}),
                {{0.54, 0, 0.925, 0.075}}};
    case BodyShape::bicycle:
        return {{},
                {{0.80, 0.19, 0.03, true, false}, {0.20, 0.19, 0.03, false, false}},
                joined(joined(legs(0.36, 0.54, 0.54, 0.42, 0.47, 0.16, 0.30), arms(0.50, 0.80, 0.68, 0.60, 0.42, 0.7)),
                       {{{0.36, 0, 0.55}, {0.48, 0, 0.80}, 0.08, 0.09},
                        {{0.20, 0, 0.19}, {0.47, 0, 0.17}, 0.012, 0.012, Paint::trim},
                        {{0.47, 0, 0.17}, {0.37, 0, 0.50}, 0.014, 0.014, Paint::trim},
                        {{0.37, 0, 0.46}, {0.68, 0, 0.52}, 0.014, 0.014, Paint::trim},
                        {{0.47, 0, 0.17}, {0.68, 0, 0.50}, 0.014, 0.014, Paint::trim},
                        {{0.68, 0, 0.58}, {0.80, 0, 0.19}, 0.014, 0.012, Paint::trim},
                        {{0.68, -0.8, 0.60}, {0.68, 0.8, 0.60}, 0.012, 0.012, Paint::trim}}),
                {{0.53, 0, 0.925, 0.07}}};
    case BodyShape::scooter:
        return {{},
                {{0.86, 0.07, 0.03, true, false}, {0.14, 0.07, 0.03, false, false}},
                joined(joined(legs(0.42, 0.52, 0.46, 0.30, 0.42, 0.10, 0.3), arms(0.44, 0.80, 0.76, 0.60, 0.6, 0.6)),
                       {{{0.42, 0, 0.54}, {0.44, 0, 0.82}, 0.085, 0.095},
                        {{0.14, 0, 0.08}, {0.80, 0, 0.08}, 0.02, 0.02, Paint::trim},
                        {{0.86, 0, 0.07}, {0.76, 0, 0.60}, 0.014, 0.014, Paint::trim},
                        {{0.76, -0.7, 0.60}, {0.76, 0.7, 0.60}, 0.012, 0.012, Paint::trim}}),
                {{0.45, 0, 0.925, 0.07}}};
    case BodyShape::wheelchair:
        return {{},
                {{0.42, 0.24, 0.03}, {0.85, 0.08, 0.03, true}},
                joined(joined(legs(0.42, 0.40, 0.78, 0.40, 0.82, 0.06, 0.3), arms(0.40, 0.74, 0.60, 0.46, 0.6, 0.7)),
                       {{{0.40, 0, 0.42}, {0.38, 0, 0.76}, 0.10, 0.11},
                        {{0.36, -0.6, 0.36}, {0.36, 0.6, 0.36}, 0.04, 0.04, Paint::trim},
                        {{0.26, 0, 0.36}, {0.22, 0, 0.72}, 0.05, 0.05, Paint::trim}}),
                {{0.40, 0, 0.92, 0.08}}};
    case BodyShape::pedestrian:
        return {{},
                {},
                joined(joined(legs(0.5, 0.50, 0.62, 0.27, 0.55, 0.04, 0.30), arms(0.5, 0.79, 0.56, 0.48, 0.72, 0.8)),
                       {{{0.5, 0, 0.52}, {0.5, 0, 0.79}, 0.095, 0.105}, {{0.5, 0, 0.80}, {0.5, 0, 0.86}, 0.04, 0.03}}),
                {{0.52, 0, 0.925, 0.07}}};
    case BodyShape::animal:
        return {{},
                {},
                {{{0.18, 0, 0.60}, {0.70, 0, 0.62}, 0.16, 0.18},
                 {{0.72, 0, 0.66}, {0.84, 0, 0.84}, 0.10, 0.08},
                 {{0.82, 0, 0.86}, {0.98, 0, 0.80}, 0.09, 0.05},
                 {{0.16, 0, 0.64}, {0.02, 0, 0.48}, 0.03, 0.015},
                 {{0.22, -0.5, 0.56}, {0.20, -0.5, 0.03}, 0.06, 0.035},
                 {{0.22, 0.5, 0.56}, {0.24, 0.5, 0.03}, 0.06, 0.035},
                 {{0.68, -0.5, 0.56}, {0.70, -0.5, 0.03}, 0.06, 0.035},
                 {{0.68, 0.5, 0.56}, {0.66, 0.5, 0.03}, 0.06, 0.035}}};
    }
    return {};
}

/// Two triangles for each of the six faces.
void add_cube(std::vector<BodyVertex>& vertices)
{
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.F, 1.F}) {
            for (const auto& [a, b] :
                 {std::pair{-.5F, -.5F}, {.5F, -.5F}, {.5F, .5F}, {-.5F, -.5F}, {.5F, .5F}, {-.5F, .5F}}) {
                BodyVertex vertex;
                vertex.place[axis] = side / 2;
                vertex.place[(axis + 1) % 3] = a;
                vertex.place[(axis + 2) % 3] = b;
                vertex.normal[axis] = side;
                vertices.push_back(vertex);
            }
        }
    }
}

BodyMeshes make_meshes()
{
    BodyMeshes meshes;
    for (std::size_t i = 0; i < body_shape_count; ++i) {
        auto& range = meshes.ranges[i];
        range.first = meshes.vertices.size();
        const auto plan = plan_of(static_cast<BodyShape>(i));
        if (static_cast<BodyShape>(i) == BodyShape::box) add_cube(meshes.vertices);
        MeshMaker make(meshes.vertices);
        for (const auto& hull : plan.hulls) make.hull(hull);
        for (const auto& wheels : plan.wheels) make.wheels(wheels);
        for (const auto& limb : plan.limbs) make.limb(limb);
        for (const auto& head : plan.heads) make.head(head);
        range.count = meshes.vertices.size() - range.first;
    }
    return meshes;
}

}  // namespace

const BodyMeshes& body_meshes()
{
    static const auto meshes = make_meshes();
    return meshes;
}

}  // namespace ositrace
