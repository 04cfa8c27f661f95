// SPDX-License-Identifier: MPL-2.0
// Beside the lanes that esmini wrote from the same map. It has no logical lanes and no intersections, it gives centre
// lines to lanes that are not driven, and its pairings follow lane ids even where a junction connects nothing.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/lib/open_drive/map.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using decoded::Node;
using decoded::Triple;

namespace {

struct Frames {
    std::shared_ptr<const Trace> trace;
    Frame frame;
    Node ground_truth;

    explicit Frames(const std::filesystem::path& file) : trace(open_trace(file)), frame(trace->frame(0, 0))
    {
        const auto& channel = trace->info().channels.front();
        ground_truth = Node(MessageView(frame.bytes, *channel.root, channel.format));
    }
};

/// esmini leaves zeros out.
double real(const Node& node, std::string_view field) { return node && node.has(field) ? node.real(field) : 0; }

Triple place(const Node& vector) { return {real(vector, "x"), real(vector, "y"), real(vector, "z")}; }

std::uint64_t value(const Node& identifier) { return identifier.has("value") ? identifier.number("value") : 0; }

double distance(const Triple& p, const Triple& a, const Triple& b)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    const double part = square > 0 ? std::clamp(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square, 0.0, 1.0) : 0;
    return std::hypot(p[0] - a[0] - part * dx, p[1] - a[1] - part * dy);
}

std::vector<std::vector<Triple>> lines(const Node& ground_truth)
{
    std::vector<std::vector<Triple>> all;
    for (const auto& boundary : ground_truth.all("lane_boundary")) {
        auto& line = all.emplace_back();
        for (const auto& point : boundary.all("boundary_line")) line.push_back(place(point["position"]));
    }
    return all;
}

double nearest(const Triple& point, const std::vector<std::vector<Triple>>& lines)
{
    double least = 1e300;
    for (const auto& line : lines)
        for (std::size_t i = 0; i + 1 < line.size(); ++i)
            least = std::min(least, distance(point, line[i], line[i + 1]));
    return least;
}

Triple middle(const Node& lane)
{
    const auto points = lane["classification"].all("centerline");
    const auto &a = points[(points.size() - 1) / 2], &b = points[(points.size() - 1) / 2 + 1];
    const auto p = place(a), q = place(b);
    return {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, 0};
}

/// Distances of a place to the left and right boundaries of a lane, which has no centre line where lanes merge.
struct Sides {
    double left = 1e300, right = 1e300;
};

Sides sides(const Triple& point, const Node& ground_truth, const Node& lane)
{
    Sides found;
    const auto consider = [&](std::string_view field, double& least) {
        const auto ids = lane["classification"].ids(field);
        for (const auto& boundary : ground_truth.all("lane_boundary")) {
            if (std::ranges::find(ids, boundary.id("id")) == ids.end()) continue;
            const auto points = boundary.all("boundary_line");
            for (std::size_t i = 0; i + 1 < points.size(); ++i)
                least =
                    std::min(least, distance(point, place(points[i]["position"]), place(points[i + 1]["position"])));
        }
    };
    consider("left_lane_boundary_id", found.left);
    consider("right_lane_boundary_id", found.right);
    return found;
}

Node with_id(const Node& ground_truth, std::uint64_t id)
{
    for (const auto& lane : ground_truth.all("lane"))
        if (value(lane["id"]) == id) return lane;
    return {};
}

/// What is beside a lane: subtypes of its neighbours.
std::vector<std::string> beside(const Node& ground_truth, const Node& lane, std::string_view field)
{
    std::vector<std::string> names;
    for (const auto& id : lane["classification"].all(field))
        names.emplace_back(with_id(ground_truth, value(id))["classification"].name("subtype"));
    return names;
}

}  // namespace

TEST_CASE("esmini's lanes of the same map are ours")
{
    const auto shared = test::shared_folder();
    const auto trace_file = shared / "traces/highway_merge.osi", map_file = shared / "maps/soderleden.xodr";
    if (!std::filesystem::exists(trace_file) || !std::filesystem::exists(map_file)) {
        WARN("skipped: " << map_file << " is missing");
        return;
    }
    const Frames esmini(trace_file), ours(map_file);
    CHECK(ours.trace->info().container.name == "OpenDRIVE");
    CHECK(ours.ground_truth.all("lane").size() == esmini.ground_truth.all("lane").size());

    const auto our_lines = lines(ours.ground_truth);
    std::size_t points = 0, close = 0;
    for (const auto& line : lines(esmini.ground_truth))
        for (const auto& point : line) {
            ++points;
            close += nearest(point, our_lines) <= 0.05 ? 1 : 0;
        }
    INFO(close << " of " << points << " points of esmini are within 5 cm");
    CHECK(close >= points * 95 / 100);

    std::size_t driven = 0;
    for (const auto& theirs : esmini.ground_truth.all("lane")) {
        if (theirs["classification"].name("type") != "TYPE_DRIVING") continue;
        ++driven;
        const auto there = middle(theirs);
        Node same;
        Sides least;
        for (const auto& lane : ours.ground_truth.all("lane")) {
            if (lane["classification"].name("type") != "TYPE_DRIVING") continue;
            const auto to = sides(there, ours.ground_truth, lane);
            if (to.left + to.right < least.left + least.right) same = lane, least = to;
        }
        INFO("lane " << value(theirs["id"]) << " of esmini, " << least.left << " m and " << least.right << " m");
        CHECK(least.left == Approx(least.right).margin(0.1));
        CHECK(least.left < 2.5);
        CHECK(same["classification"].name("subtype") == theirs["classification"].name("subtype"));
        CHECK(same["classification"].number("centerline_is_driving_direction") == 1);
        for (const auto* const side : {"left_adjacent_lane_id", "right_adjacent_lane_id"})
            CHECK(beside(ours.ground_truth, same, side) == beside(esmini.ground_truth, theirs, side));
    }
    CHECK(driven == 11);
}

TEST_CASE("a straight road of 500 m is read as it is")
{
    const auto file = test::shared_folder() / "maps/straight_500m.xodr";
    if (!std::filesystem::exists(file)) {
        WARN("skipped: " << file << " is missing");
        return;
    }
    const Frames map(file);
    CHECK(map.trace->frame_count() == 1);
    CHECK(map.ground_truth.text("map_reference") == "straight_500m.xodr");
    CHECK(map.ground_truth.all("lane").size() == 6);
}
