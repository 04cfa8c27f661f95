// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/lane_boundaries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "lib/picture/candidates.hpp"
#include "lib/picture/layer_builder.hpp"
#include "lib/picture/looks.hpp"

namespace ositrace::picture {

namespace {

// Of OSI 3.8.0. A dash goes from START over CONTINUE to END; after END and GAP there is none.
enum : std::int64_t { dash_start = 2, dash_continue = 3, dash_end = 4, dash_gap = 5 };
constexpr float thinnest = 0.02F;
constexpr float logical_boundary_width = 0.09F, reference_line_width = 0.2F;
constexpr float detected_lift = 0.05F;  // m: visible above the true ones

/// Between a point and the next one.
struct Stroke {
    bool painted = true;
    float width = 0;
    float height = 0;
    friend bool operator==(const Stroke&, const Stroke&) = default;
};

bool has_dashes(std::span<const LinePoint> points)
{
    return std::ranges::any_of(points, [](const LinePoint& p) { return p.dash >= dash_start && p.dash <= dash_gap; });
}

enum class BoundaryForm : std::uint8_t { line, dashes, dots, rail };

/// How a type of boundary is painted or built, as far as its message does not say.
struct BoundaryStyle {
    Look look = Look::boundary_other;  ///< without a colour
    float width = thinnest;
    float height = 0;
    BoundaryForm form = BoundaryForm::line;
    bool is_paint = false;  ///< flat, although writers give it the thickness of the paint
    float strength = 1;
    float coloured_strength = 1;  ///< with a colour: an edge is not painted
};

/// By LaneBoundary.Classification.Type of OSI 3.8.0.
constexpr std::array boundary_styles{
    BoundaryStyle{},                                                                          // unknown
    BoundaryStyle{},                                                                          // other
    BoundaryStyle{.look = Look::boundary_none, .strength = 0.1F, .coloured_strength = 0.1F},  // no line
    BoundaryStyle{.look = Look::boundary_white, .width = 0.12F, .is_paint = true},            // solid line
    BoundaryStyle{
        .look = Look::boundary_white, .width = 0.12F, .form = BoundaryForm::dashes, .is_paint = true},  // dashed line
    BoundaryStyle{
        .look = Look::boundary_white, .width = 0.1F, .form = BoundaryForm::dots, .is_paint = true},  // botts dots
    BoundaryStyle{.look = Look::boundary_road_edge, .width = 0.1F, .coloured_strength = 0.45F},      // road edge
    BoundaryStyle{.look = Look::boundary_snow_edge, .width = 0.3F, .coloured_strength = 0.45F},      // snow edge
    BoundaryStyle{.look = Look::boundary_grass_edge, .width = 0.3F, .coloured_strength = 0.45F},     // grass edge
    BoundaryStyle{.look = Look::boundary_gravel_edge, .width = 0.3F, .coloured_strength = 0.45F},    // gravel edge
    BoundaryStyle{.look = Look::boundary_soil_edge, .width = 0.3F, .coloured_strength = 0.45F},      // soil edge
    BoundaryStyle{
        .look = Look::boundary_grey, .width = 0.06F, .height = 0.75F, .form = BoundaryForm::rail},  // guard rail
    BoundaryStyle{.look = Look::boundary_grey, .width = 0.15F, .height = 0.12F},                    // curb
    BoundaryStyle{.look = Look::boundary_grey, .width = 0.2F, .height = 1},                         // structure
    BoundaryStyle{.look = Look::boundary_grey, .width = 0.25F, .height = 0.9F},                     // barrier
    BoundaryStyle{.look = Look::boundary_grey, .width = 0.2F, .height = 2.5F},                      // sound barrier
};

const BoundaryStyle& style_of(std::optional<std::int64_t> type) noexcept
{
    const auto number = static_cast<std::uint64_t>(type.value_or(0));
    return boundary_styles.at(number < boundary_styles.size() ? static_cast<std::size_t>(number) : 0);
}

/// Which strokes of a boundary are painted: determined by its points, else every second one of a dashed line.
std::vector<Stroke> strokes_of(std::span<const LinePoint> points, const BoundaryStyle& style)
{
    constexpr float thickest_paint = 0.05F;
    const auto is_upright = [&](const LinePoint& p) { return p.height > (style.is_paint ? thickest_paint : 0); };
    const bool has_dash = has_dashes(points), has_height = std::ranges::any_of(points, is_upright);
    std::vector<Stroke> strokes;
    bool painted = true;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const auto& point = points[i];
        if (!has_dash)
            painted = style.form != BoundaryForm::dashes || i % 2 == 0;
        else if (point.dash == dash_start || point.dash == dash_continue)
            painted = true;
        else if (point.dash == dash_end || point.dash == dash_gap)
            painted = false;
        const float height = has_height ? (is_upright(point) ? point.height : 0) : style.height;
        strokes.push_back({painted, point.width > 0 ? std::max(point.width, thinnest) : style.width, height});
    }
    return strokes;
}

/// One line for consecutive painted strokes that are alike.
void add_strokes(LayerBuilder& to, Look look, float strength, std::uint32_t first, std::span<const Stroke> strokes)
{
    for (std::size_t i = 0; i < strokes.size() && to.has_room();) {
        auto end = i + 1;
        while (end < strokes.size() && strokes[end] == strokes[i]) ++end;
        if (strokes[i].painted)
            to.line(look, first + static_cast<std::uint32_t>(i), end - i + 1,
                    {.width = strokes[i].width, .height = strokes[i].height, .strength = strength});
        i = end;
    }
}

double metres_between(const Point& a, const Point& b)
{
    std::array<double, 3> way{};
    for (std::size_t i = 0; i < 3; ++i) way[i] = static_cast<double>(b[i]) - static_cast<double>(a[i]);
    return std::hypot(way[0], way[1], way[2]);
}

Point point_between(const Point& a, const Point& b, double share, float lift)
{
    Point place{};
    for (std::size_t i = 0; i < 3; ++i)
        place[i] = static_cast<float>(static_cast<double>(a[i]) +
                                      share * (static_cast<double>(b[i]) - static_cast<double>(a[i])));
    place[2] += lift;
    return place;
}

double metres_of(std::span<const LinePoint> points)
{
    double whole = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) whole += metres_between(points[i].at, points[i + 1].at);
    return whole;
}

/// Pieces of a boundary at equal distances, with points of their own: dots, dashes, posts.
struct Pieces {
    double every = 1, length = 1;  ///< m
    float least_width = 0;
    float height = 0;
    float lift = 0;
};

void add_pieces(LayerBuilder& to, Look look, float strength, std::span<const LinePoint> points, const Pieces& pieces)
{
    constexpr double most = 1000;
    const double step = std::max(pieces.every, metres_of(points) / most);
    double begin = 0, passed = 0;  // of the next piece; of the line
    std::vector<Point> piece;
    float width = 0;
    const auto finish = [&] {
        if (piece.size() >= 2 && to.has_room(piece.size()))
            to.line(look, piece, {.width = width, .height = pieces.height, .strength = strength});
        piece.clear();
        begin += step;
    };
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const double metres = metres_between(points[i].at, points[i + 1].at);
        const auto add_point = [&](double at) {
            piece.push_back(point_between(points[i].at, points[i + 1].at, (at - passed) / metres, pieces.lift));
        };
        while (begin < passed + metres) {
            if (piece.empty()) {
                add_point(begin);
                width = std::max(points[i].width, pieces.least_width);
            }
            const double end = begin + pieces.length;
            add_point(std::min(end, passed + metres));
            if (end > passed + metres) break;
            finish();
        }
        passed += metres;
    }
    finish();
}

/// Adds the points of a line to the layer; returns false if it has fewer than two points or there is no room.
bool add_points(LayerBuilder& to, std::string_view what, std::span<const LinePoint> points, std::uint32_t& first,
                float lift = 0)
{
    if (points.size() < 2 || !to.has_room(points.size())) {
        to.notes().leave_out(what, points.size() < 2 ? "without two points" : "beyond what there is room for");
        return false;
    }
    first = static_cast<std::uint32_t>(to.layer().points.size());
    for (const auto& point : points) to.layer().points.push_back({point.at[0], point.at[1], point.at[2] + lift});
    return true;
}

/// Arrows in the direction of the points of a line.
void add_arrows(LayerBuilder& to, std::uint32_t first, std::size_t count, const ArrowStyle& style)
{
    const auto& all = to.layer().points;
    const std::vector<Point> line(
        all.begin() + first,
        all.begin() + first + static_cast<std::ptrdiff_t>(count));  // arrows have points of their own
    add_direction_arrows(to, line, style);
}

struct BoundaryKind {
    Look look = Look::boundary_other;
    std::string type;
    BoundaryStyle style;
    float strength = 1;
};

BoundaryKind kind_of_boundary(const std::optional<MessageView>& classification)
{
    if (!classification) return {.look = Look::boundary_other, .type = "lane boundary", .style = {}};
    const auto& style = style_of(integer_in(*classification, "type"));
    const auto colour = look_of_boundary_colour(integer_in(*classification, "color"), style.is_paint);
    const bool is_coloured = colour && style.look != Look::boundary_none;
    return {.look = is_coloured ? *colour : style.look,
            .type = words_in(*classification, "type"),
            .style = style,
            .strength = is_coloured ? style.coloured_strength : style.strength};
}

/// Are every second strokes as long as painted dashes? Otherwise the points are not the ends of dashes.
bool may_be_dashes(std::span<const LinePoint> points)
{
    constexpr double shortest = 0.5, longest = 15;  // m
    const double mean = metres_of(points) / static_cast<double>(points.size() - 1);
    return mean >= shortest && mean <= longest;
}

/// The distance of its dashes, as its points determine; 0 if it is not dashed. They are stretched to fit, and at the
/// end a part may be missing.
double gap_of(const BoundaryKind& kind, std::span<const LinePoint> points)
{
    constexpr double stretch = 1.25;
    const bool is_dashed = kind.style.form == BoundaryForm::dashes;
    if (!has_dashes(points) && !(is_dashed && may_be_dashes(points))) return 0;
    const auto strokes = strokes_of(points, kind.style);
    double longest = 0, metres = 0;
    for (std::size_t i = 0; i < strokes.size(); ++i) {
        metres = strokes[i].painted ? 0 : metres + metres_between(points[i].at, points[i + 1].at);
        longest = std::max(longest, metres);
    }
    return stretch * longest;
}

/// A rail on posts, as high as its points determine.
void add_guard_rail(LayerBuilder& to, Look look, const BoundaryKind& kind, std::span<const LinePoint> points,
                    float lift)
{
    constexpr float rail = 0.3F, post = 0.1F;  // m
    const auto strokes = strokes_of(points, kind.style);
    const float height = std::ranges::max_element(strokes, {}, &Stroke::height)->height,
                below = std::max(height - rail, 0.F);
    std::vector<Point> line;
    line.reserve(points.size());
    for (const auto& point : points) line.push_back({point.at[0], point.at[1], point.at[2] + below + lift});
    if (to.has_room(line.size()))
        to.line(look, line, {.width = strokes.front().width, .height = height - below, .strength = kind.strength});
    add_pieces(to, look, kind.strength, points,
               {.every = 4, .length = static_cast<double>(post), .least_width = post, .height = below, .lift = lift});
}

/// Dashed as its points determine, or if they do not, as its type determines.
void add_boundary(LayerBuilder& to, Look look, const BoundaryKind& kind, std::uint32_t first,
                  std::span<const LinePoint> points, float lift = 0)
{
    const auto& style = kind.style;
    if (style.form == BoundaryForm::rail) return add_guard_rail(to, look, kind, points, lift);
    if (style.form == BoundaryForm::dots && !has_dashes(points))
        return add_pieces(to, look, kind.strength, points,
                          {.every = 1, .length = 0.1, .least_width = style.width, .lift = lift});
    if (style.form == BoundaryForm::dashes && !has_dashes(points) && !may_be_dashes(points))
        return add_pieces(to, look, kind.strength, points,
                          {.every = 9, .length = 3, .least_width = style.width, .lift = lift});
    add_strokes(to, look, kind.strength, first, strokes_of(points, style));
}

}  // namespace

void BoundaryLines::add(std::uint64_t id, std::uint32_t first, std::size_t count, double gap)
{
    ranges_.try_emplace(id, Range{first, static_cast<std::uint32_t>(count), gap});
}

LaneEdge BoundaryLines::find(std::uint64_t id) const noexcept
{
    const auto found = ranges_.find(id);
    if (found == ranges_.end() || !layer_) return {};
    return {std::span(layer_->points).subspan(found->second.first, found->second.count), found->second.gap};
}

void add_lane_boundaries(LayerBuilder& to, const MessageView& parent, std::string_view field, LinePointReader& reader,
                         BoundaryLines& lines)
{
    constexpr std::string_view what = "lane boundary";
    for_each_element(to, parent, field, what, [&](const MessageView& boundary, std::size_t place) {
        const auto points = reader.read(boundary, "boundary_line", to.placement(), to.notes());
        std::uint32_t first = 0;
        if (!add_points(to, what, points, first)) return;
        const auto kind = kind_of_boundary(message_in(boundary, "classification"));
        const auto id = thing_id_in(boundary, place);
        to.add(Category::lane_boundary, id, kind.look, to.path(field, place), kind.type).centre =
            points[points.size() / 2].at;
        if (id.is_given) lines.add(id.number, first, points.size(), gap_of(kind, points));
        add_boundary(to, kind.look, kind, first, points);
    });
}

void add_detected_lane_boundaries(LayerBuilder& to, const MessageView& sensor_data, LinePointReader& reader,
                                  BoundaryLines& lines)
{
    constexpr std::string_view what = "detected lane boundary", field = "lane_boundary";
    for_each_element(to, sensor_data, field, what, [&](const MessageView& boundary, std::size_t place) {
        const auto points = reader.read(boundary, "boundary_line", to.placement(), to.notes());
        std::uint32_t first = 0;
        if (!add_points(to, what, points, first, detected_lift)) return;
        const auto kind = kind_of_boundary(message_in(most_probable_candidate(boundary), "classification"));
        const auto id = tracking_id_of(boundary, place);
        to.add(Category::detected_lane_boundary, id, Look::detected, to.path(field, place), kind.type).centre =
            points[points.size() / 2].at;
        if (id.is_given) lines.add(id.number, first, points.size(), gap_of(kind, points));
        add_boundary(to, Look::detected, kind, first, points, detected_lift);
    });
}

void add_logical_lane_boundaries(LayerBuilder& to, const MessageView& parent, std::string_view field,
                                 LinePointReader& reader, BoundaryLines& lines)
{
    constexpr std::string_view what = "logical lane boundary";
    for_each_element(to, parent, field, what, [&](const MessageView& boundary, std::size_t place) {
        const auto points = reader.read(boundary, "boundary_line", to.placement(), to.notes());
        std::uint32_t first = 0;
        if (!add_points(to, what, points, first)) return;
        const auto id = thing_id_in(boundary, place);
        to.add(Category::logical_lane_boundary, id, Look::logical_lane_boundary, to.path(field, place),
               std::string(what))
            .centre = points[points.size() / 2].at;
        if (id.is_given) lines.add(id.number, first, points.size());
        to.line(Look::logical_lane_boundary, first, points.size(), {.width = logical_boundary_width});
    });
}

void add_reference_lines(LayerBuilder& to, const MessageView& parent, std::string_view field, LinePointReader& reader)
{
    constexpr std::string_view what = "reference line";
    for_each_element(to, parent, field, what, [&](const MessageView& line, std::size_t place) {
        const auto points = reader.read(line, "poly_line", to.placement(), to.notes());
        std::uint32_t first = 0;
        if (!add_points(to, what, points, first)) return;
        to.add(Category::reference_line, thing_id_in(line, place), Look::reference_line, to.path(field, place),
               std::string(what))
            .centre = points[points.size() / 2].at;
        to.line(Look::reference_line, first, points.size(), {.width = reference_line_width});
        add_arrows(to, first, points.size(), {.look = Look::reference_line, .length = 1});
    });
}

}  // namespace ositrace::picture
