// SPDX-License-Identifier: MPL-2.0
#include <cmath>

#include "lib/open_drive/plan_view.hpp"
#include "tests/catch.hpp"

using namespace ositrace::open_drive;

namespace {

struct PlanPoint {
    double x, y;
};

/// The clothoid with the curvature `rate * s` from the origin along x: its power series, in more digits.
PlanPoint clothoid(double rate, double s)
{
    const long double half = static_cast<long double>(rate) / 2, at = static_cast<long double>(s);
    long double x = 0, y = 0, term = at;  // term: half^n s^(2n+1) / n!
    for (int n = 0; n < 60; ++n) {
        const auto share = term / (2 * n + 1);
        if (n % 4 == 0) x += share;
        if (n % 4 == 1) y += share;
        if (n % 4 == 2) x -= share;
        if (n % 4 == 3) y -= share;
        term *= half * at * at / (n + 1);
    }
    return {static_cast<double>(x), static_cast<double>(y)};
}

PlanPoint turned(PlanPoint p, double by)
{
    return {std::cos(by) * p.x - std::sin(by) * p.y, std::sin(by) * p.x + std::cos(by) * p.y};
}

Geometry made(Geometry geometry)
{
    geometry.prepare();
    return geometry;
}

double apart(PlanPoint a, Pose b) { return std::hypot(a.x - b.x, a.y - b.y); }

constexpr double exact = 1e-6;  // metres

}  // namespace

TEST_CASE("a line starts at its place and heading")
{
    const auto line = made({.x = 10, .y = -3, .heading = 0.7, .length = 500});
    const auto pose = line.at(321.5);
    CHECK(apart({10 + 321.5 * std::cos(0.7), -3 + 321.5 * std::sin(0.7)}, pose) < exact);
    CHECK(pose.heading == Approx(0.7));
}

TEST_CASE("an arc is a circle, also of a radius of 100 000 km")
{
    for (const double curvature : {0.02, -0.15, 1e-8}) {
        const auto arc = made({.x = 5,
                               .y = 6,
                               .heading = 1.1,
                               .length = 200,
                               .curve = Curve::arc,
                               .curvature_start = curvature,
                               .curvature_end = curvature});
        for (const double s : {0.0, 12.25, 99.0, 200.0}) {
            const auto k = static_cast<long double>(curvature), turn = k * static_cast<long double>(s), h = 1.1L;
            const PlanPoint wanted{static_cast<double>(5 + (std::sin(h + turn) - std::sin(h)) / k),
                                   static_cast<double>(6 - (std::cos(h + turn) - std::cos(h)) / k)};
            INFO(curvature << " at " << s);
            CHECK(apart(wanted, arc.at(s)) < (curvature > 1e-7 ? exact : 1e-3));  // the formula loses digits
            CHECK(arc.at(s).heading == Approx(1.1 + curvature * s));
        }
    }
}

TEST_CASE("a spiral has the Fresnel integrals as coordinates")
{
    for (const auto& [start, end, length] : {std::tuple{0.0, 0.02, 100.0},
                                             {0.01, 0.05, 80.0},
                                             {-0.02, 0.03, 120.0},
                                             {0.05, 0.0, 60.0},
                                             {0.0, -0.004, 900.0}}) {
        const auto spiral = made({.x = 3,
                                  .y = 4,
                                  .heading = -0.4,
                                  .length = length,
                                  .curve = Curve::spiral,
                                  .curvature_start = start,
                                  .curvature_end = end});
        const double rate = (end - start) / length, before = start / rate;
        const auto first = clothoid(rate, before);
        for (const double s : {0.0, length / 7, length / 2, length}) {
            const auto here = clothoid(rate, before + s);
            const double begin_heading = rate * before * before / 2;
            const auto local = turned({here.x - first.x, here.y - first.y}, -0.4 - begin_heading);
            INFO(start << " to " << end << " at " << s);
            CHECK(apart({3 + local.x, 4 + local.y}, spiral.at(s)) < exact);
            CHECK(spiral.at(s).heading == Approx(-0.4 + s * start + rate * s * s / 2));
        }
    }
}

TEST_CASE("a cubic is followed by arc length")
{
    const auto cubic = made({.length = 50, .curve = Curve::poly3, .v = {0, 0, 0.01, -1e-4}});
    // The length of the curve up to the place, summed by short chords.
    const auto pose = cubic.at(30);
    double length = 0;
    constexpr int pieces = 100'000;
    double x = 0, y = 0;
    for (int i = 1; i <= pieces; ++i) {
        const double u = pose.x * i / pieces, v = u * u * (0.01 - 1e-4 * u);
        length += std::hypot(u - x, v - y);
        x = u, y = v;
    }
    CHECK(length == Approx(30).margin(1e-6));
    CHECK(pose.y == Approx(pose.x * pose.x * (0.01 - 1e-4 * pose.x)));
}

TEST_CASE("a parametric cubic ends where its parameter does")
{
    // A quarter of a circle of 10 m as a Bezier curve.
    constexpr double k = 0.5522847498 * 10;
    const std::array<double, 4> u{0, 3 * k, 3 * (10 - 2 * k), 10 - 30 + 3 * k},
        v{0, 0, 3 * (10 - k), 10 - 3 * (10 - k)};
    const auto curve =
        made({.heading = 0, .length = 15.7080, .curve = Curve::param_poly3, .u = u, .v = v, .last_parameter = 1});
    CHECK(apart({u[0] + u[1] + u[2] + u[3], v[0] + v[1] + v[2] + v[3]}, curve.at(curve.length)) < 1e-6);
    // Half the length is half the turn: the Bezier curve is within 3 mm of the circle.
    CHECK(curve.at(curve.length / 2).heading == Approx(0.785398).margin(1e-3));
}

TEST_CASE("beyond its end a geometry goes on straight")
{
    const auto arc = made({.length = 10, .curve = Curve::arc, .curvature_start = 0.1, .curvature_end = 0.1});
    const auto end = arc.at(10), beyond = arc.at(12);
    CHECK(apart({end.x + 2 * std::cos(1.0), end.y + 2 * std::sin(1.0)}, beyond) < exact);
}
