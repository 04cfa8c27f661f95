// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/plan_view.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::open_drive {

namespace {

/// Gauss-Legendre with eight points: nodes and weights on [-1, 1], of both signs.
constexpr std::array<double, 4> nodes{0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                      0.96028985649753623168};
constexpr std::array<double, 4> weights{0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                        0.10122853629037625915};

template <class Function>
auto integral(double from, double to, const Function& function)
{
    const double middle = (from + to) / 2, half = (to - from) / 2;
    decltype(function(middle)) sum{};
    for (std::size_t i = 0; i < nodes.size(); ++i)
        sum = sum + weights[i] * (function(middle - half * nodes[i]) + function(middle + half * nodes[i]));
    return half * sum;
}

struct Direction {
    double x = 0, y = 0;
    friend Direction operator+(Direction a, Direction b) noexcept { return {a.x + b.x, a.y + b.y}; }
    friend Direction operator*(double k, Direction a) noexcept { return {k * a.x, k * a.y}; }
};

double value(const std::array<double, 4>& k, double p) { return k[0] + p * (k[1] + p * (k[2] + p * k[3])); }
double slope(const std::array<double, 4>& k, double p) { return k[1] + p * (2 * k[2] + p * 3 * k[3]); }

/// sin(x) / x
double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }

constexpr std::size_t panels = 32;

}  // namespace

void Geometry::prepare()
{
    if (curve == Curve::spiral && curvature_start == curvature_end) curve = Curve::arc;
    if (curve != Curve::poly3 && curve != Curve::param_poly3) return;
    if (curve == Curve::poly3) u = {0, 1, 0, 0};
    arc_lengths.assign(1, 0);
    const double step = parameter_end() / panels;
    for (std::size_t i = 0; i < panels; ++i) {
        const double from = step * static_cast<double>(i);
        arc_lengths.push_back(arc_lengths.back() + integral(from, from + step, [&](double p) { return speed(p); }));
    }
}

double Geometry::largest_turn() const noexcept
{
    return std::max(std::abs(curvature_start), std::abs(curvature_end)) * length;
}

Pose Geometry::at(double ds) const noexcept
{
    const double inside = std::clamp(ds, 0.0, length);
    auto pose = local(inside);
    pose.x += (ds - inside) * std::cos(pose.heading);
    pose.y += (ds - inside) * std::sin(pose.heading);
    const double sine = std::sin(heading), cosine = std::cos(heading);
    return {x + cosine * pose.x - sine * pose.y, y + sine * pose.x + cosine * pose.y, heading + pose.heading};
}

/// In the frame of its start.
Pose Geometry::local(double ds) const noexcept
{
    switch (curve) {
    case Curve::line: return {ds, 0, 0};
    case Curve::arc: {
        const double half = curvature_start * ds / 2;
        const double chord = ds * sinc(half);
        return {chord * std::cos(half), chord * std::sin(half), 2 * half};
    }
    case Curve::spiral: return spiral(ds);
    case Curve::poly3:
    case Curve::param_poly3: return polynomial(ds);
    }
    return {};
}

/// The Fresnel integrals, summed over panels in which the heading changes by less than a radian.
Pose Geometry::spiral(double ds) const noexcept
{
    const double change = (curvature_end - curvature_start) / length;
    const auto turned = [&](double at) { return at * (curvature_start + at * change / 2); };
    const double last_curvature = curvature_start + change * ds;
    const double turn = std::max(std::abs(curvature_start), std::abs(last_curvature)) * ds;
    const double count = std::max(1.0, std::ceil(turn));
    Direction sum;
    for (double i = 0; i < count; ++i)
        sum = sum + integral(ds * i / count, ds * (i + 1) / count,
                             [&](double at) { return Direction{std::cos(turned(at)), std::sin(turned(at))}; });
    return {sum.x, sum.y, turned(ds)};
}

double Geometry::parameter_end() const noexcept { return curve == Curve::poly3 ? length : last_parameter; }

double Geometry::speed(double parameter) const noexcept { return std::hypot(slope(u, parameter), slope(v, parameter)); }

/// The parameter at the arc length of ds: Newton's method in the panel where it is.
double Geometry::parameter_at(double ds) const noexcept
{
    // A poly3 is defined over u, which ends where the arc length is that of the element.
    const double scale = curve == Curve::poly3 || length <= 0 ? 1 : arc_lengths.back() / length;
    const double wanted = std::min(ds * scale, arc_lengths.back());
    const auto above = std::upper_bound(arc_lengths.begin() + 1, arc_lengths.end() - 1, wanted);
    const auto panel = static_cast<double>(above - arc_lengths.begin() - 1);
    const double step = parameter_end() / panels, from = step * panel;
    const double start = *(above - 1);
    double low = from, high = from + step, parameter = from;
    if (*above > start) parameter += step * (wanted - start) / (*above - start);
    for (int i = 0; i < 20; ++i) {
        const double error = start + integral(from, parameter, [&](double p) { return speed(p); }) - wanted;
        if (std::abs(error) < 1e-10) break;
        (error > 0 ? high : low) = parameter;
        const double next = parameter - error / speed(parameter);
        parameter = next > low && next < high ? next : (low + high) / 2;
    }
    return parameter;
}

Pose Geometry::polynomial(double ds) const noexcept
{
    const double p = parameter_at(ds);
    return {value(u, p), value(v, p), std::atan2(slope(v, p), slope(u, p))};
}

}  // namespace ositrace::open_drive
