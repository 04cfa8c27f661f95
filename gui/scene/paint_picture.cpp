// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/paint_picture.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include <QPainter>

#include "gui/render/tessellate.hpp"
#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

namespace {

/// QPainter takes very long for coordinates far outside of the picture.
constexpr double farthest_pixel = 30000;

class PicturePainter {
public:
    PicturePainter(QImage& image, const Picture& picture, const ViewTransform& view, const RenderOptions& options)
        : image_(image), picture_(picture), view_(view), options_(options), painter_(&image)
    {
        painter_.setRenderHint(QPainter::Antialiasing);
    }

    void paint(const Camera& camera)
    {
        paint_segments(ground_grid(picture_, camera, options_));
        for (const auto& layer : picture_.layers) paint_lanes(*layer);
        for (const auto& layer : picture_.layers) paint_flat(*layer);
        for (const auto& layer : picture_.layers) paint_boxes(*layer);
        for (const auto& layer : picture_.layers) paint_over(*layer);
        if (options_.axes) paint_segments(axes_of(picture_, options_));
        painter_.end();
        const auto colouring = colouring_of(picture_, options_);
        // Those that the colour bar is of are over others at their place.
        for (const bool is_coloured : {false, true})
            for (const auto& cloud : picture_.clouds)
                if (options_.shows(cloud->key) && (field_of(*cloud, colouring) != nullptr) == is_coloured)
                    paint_cloud(*cloud, colouring);
    }

private:
    [[nodiscard]] bool shows(const Layer& layer, std::uint32_t thing) const
    {
        return thing < layer.things.size() && options_.shows(layer.things[thing]);
    }
    [[nodiscard]] std::optional<QPointF> at(const Vector& place) const
    {
        const auto point = view_.project(place);
        if (!point || std::abs(point->x) > farthest_pixel || std::abs(point->y) > farthest_pixel) return std::nullopt;
        return QPointF(point->x, point->y);
    }
    /// The pieces of a line within the coordinates that QPainter can handle.
    [[nodiscard]] std::vector<QPolygonF> pieces_of(const Layer& layer, const LineMark& line) const
    {
        std::vector<QPolygonF> pieces;
        std::optional<ScreenPoint> before;
        const auto end = std::min<std::uint64_t>(std::uint64_t{line.first} + line.count, layer.points.size());
        for (std::uint64_t i = line.first; i < end; ++i) {
            const auto point = view_.project(to_vector(layer.points[i]));
            const auto part =
                before && point ? clipped({before->x, before->y}, {point->x, point->y}, farthest_pixel) : std::nullopt;
            if (part && (pieces.empty() || pieces.back().back() != part->p1())) pieces.push_back({part->p1()});
            if (part) pieces.back() << part->p2();
            before = point;
        }
        return pieces;
    }
    /// Left points forward, right points back.
    [[nodiscard]] QPolygonF outline_of(const Layer& layer, const StripMark& strip) const
    {
        QPolygonF outline;
        const auto add = [&](std::uint64_t i) {
            const auto point = view_.project(to_vector(layer.points[i]));
            if (point) outline << QPointF(point->x, point->y);
        };
        const auto end = std::min<std::uint64_t>(std::uint64_t{strip.first} + strip.count, layer.points.size());
        const std::uint64_t first = strip.first;
        for (auto i = first; i < end; i += 2) add(i);
        for (auto i = end; i-- > first;)
            if ((i - first) % 2 == 1) add(i);
        return clipped(std::move(outline), farthest_pixel);
    }
    [[nodiscard]] QColor colour(const Layer& layer, std::uint32_t thing, Look look, float strength) const
    {
        const bool is_selected = layer.things[thing].key == options_.selected && !is_lamp(look);
        const auto part = std::clamp(strength, 0.F, 1.F);
        auto colour = highlight_of(options_.theme);
        colour[3] *= part;
        return to_qcolor(is_selected ? colour : options_.colour(layer.things[thing].key, look, part));
    }

    void paint_segments(const std::vector<Segment>& segments)
    {
        for (const auto& segment : segments) {
            const auto from = at(to_vector(segment.from)), to = at(to_vector(segment.to));
            if (!from || !to) continue;
            painter_.setPen(
                QPen(QColor(segment.colour[0], segment.colour[1], segment.colour[2], segment.colour[3]), 1));
            painter_.drawLine(*from, *to);
        }
    }
    /// Without smooth edges: the background would shine through between two lanes.
    void paint_lanes(const Layer& layer)
    {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        for (const auto* const strip : strips_from_below(layer)) {
            if (shows(layer, strip->thing) && is_lane(layer.things[strip->thing].key.category)) paint(layer, *strip);
        }
        painter_.setRenderHint(QPainter::Antialiasing);
    }
    void paint_flat(const Layer& layer)
    {
        for (const auto& strip : layer.strips) {
            if (!shows(layer, strip.thing)) continue;
            const auto category = layer.things[strip.thing].key.category;
            if (!is_lane(category) && !has_face(category)) paint(layer, strip);
        }
        for (const auto& line : layer.lines) {
            if (shows(layer, line.thing) && !line.arrow) paint(layer, line);
        }
    }
    /// Arrows, and the light of lamps.
    void paint_over(const Layer& layer)
    {
        for (const auto& strip : layer.strips) {
            if (shows(layer, strip.thing) && strip.fading && has_face(layer.things[strip.thing].key.category))
                paint(layer, strip);
        }
        for (const auto& line : layer.lines) {
            if (line.arrow && shows(layer, line.thing) && options_.shows_arrows(layer.things[line.thing].key.category))
                paint(layer, line);
        }
    }

    /// A fading strip is painted with half of its opacity.
    void paint(const Layer& layer, const StripMark& strip)
    {
        auto fill = colour(layer, strip.thing, strip.look, strip.strength);
        if (strip.fading) fill.setAlphaF(fill.alphaF() / 2);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(fill);
        painter_.drawPolygon(outline_of(layer, strip), Qt::WindingFill);
    }
    void paint(const Layer& layer, const LineMark& line)
    {
        const auto pieces = pieces_of(layer, line);
        if (pieces.empty()) return;
        const auto on_screen = static_cast<double>(line.width) / view_.metres_per_pixel(),
                   thinnest = 1.25 * static_cast<double>(options_.pixel_ratio);
        const double width = std::clamp(on_screen, thinnest, 1000.0);
        const auto ink = colour(layer, line.thing, line.look, line.strength);
        painter_.setPen(QPen(ink, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        painter_.setBrush(Qt::NoBrush);
        for (const auto& piece : pieces) painter_.drawPolyline(piece);
        if (line.arrow) paint_head(pieces.back(), std::max(4.5 * width, 5.0), ink);
    }
    void paint_head(const QPolygonF& path, double size, const QColor& ink)
    {
        auto along = path.back() - path[path.size() - 2];
        const double reach = std::hypot(along.x(), along.y());
        if (reach < 0.5) return;
        along /= reach;
        const QPointF aside(-along.y(), along.x()), tip = path.back() + along * (size * 0.3);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(ink);
        painter_.drawPolygon(
            QPolygonF{tip, tip - size * along + 0.4 * size * aside, tip - size * along - 0.4 * size * aside});
    }

    void paint_boxes(const Layer& layer)
    {
        std::vector<const BoxMark*> boxes;
        for (const auto& box : layer.boxes) {
            if (shows(layer, box.thing)) boxes.push_back(&box);
        }
        std::stable_sort(boxes.begin(), boxes.end(),
                         [](const BoxMark* a, const BoxMark* b) { return a->centre[2] < b->centre[2]; });
        for (const auto* box : boxes) paint(layer, *box);
    }
    void paint(const Layer& layer, const BoxMark& box)
    {
        const auto centre = at(to_vector(box.centre));
        if (!centre) return;
        const auto axes = rotation_axes(box.rotation);
        const double half_length = static_cast<double>(box.size[0]) / 2,
                     half_width = static_cast<double>(box.size[1]) / 2;
        const auto place = [&](double ahead, double left) {
            return at(to_vector(box.centre) + (ahead * half_length) * axes[0] + (left * half_width) * axes[1])
                .value_or(*centre);
        };
        const auto ink = colour(layer, box.thing, box.look, box.strength);
        painter_.setPen(QPen(box.wire_only ? ink : ink.darker(150),
                             static_cast<double>(options_.pixel_ratio) * (box.wire_only ? 2 : 1)));
        painter_.setBrush(box.wire_only ? QBrush() : QBrush(ink));
        painter_.drawPolygon(QPolygonF{place(1, 1), place(-1, 1), place(-1, -1), place(1, -1)});
        const auto category = layer.things[box.thing].key.category;
        if (box.wire_only || (category != Category::host && category != Category::moving_object) ||
            box.size != layer.things[box.thing].size)
            return;
        painter_.setPen(QPen(QColor(255, 255, 255, 170), std::max(1.0, half_width / view_.metres_per_pixel() / 4)));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawPolyline(QPolygonF{place(0.3, 0.6), place(0.75, 0), place(0.3, -0.6)});
    }

    /// Written directly into the image: QPainter takes seconds for the points of a sensor.
    void paint_cloud(const Cloud& cloud, const std::optional<CloudColouring>& colouring)
    {
        const auto* field = field_of(cloud, colouring);
        const auto plain = to_qcolor(options_.plain_colour(cloud.key)).rgb();
        const float scale = colouring && colouring->to > colouring->from ? 1 / (colouring->to - colouring->from) : 0;
        const int side = std::max(1, static_cast<int>(std::lround(options_.point_size * options_.pixel_ratio)));
        for (std::size_t i = 0; i < cloud.points.size(); ++i) {
            const auto point = view_.project(to_vector(cloud.points[i]));
            if (!point || point->x < 0 || point->y < 0 || point->x >= image_.width() || point->y >= image_.height())
                continue;
            const auto ink = field ? to_qcolor(turbo((field->values[i] - colouring->from) * scale)).rgb() : plain;
            const int left = static_cast<int>(point->x), top = static_cast<int>(point->y);
            for (int y = top; y < std::min(top + side, image_.height()); ++y) {
                auto* row = reinterpret_cast<QRgb*>(image_.scanLine(y));
                for (int x = left; x < std::min(left + side, image_.width()); ++x) row[x] = ink;
            }
        }
    }

    QImage& image_;
    const Picture& picture_;
    const ViewTransform& view_;
    const RenderOptions& options_;
    QPainter painter_;
};

/// Distance in pixels from a position to a piece of a line.
double distance_to(const ScreenPoint& from, const ScreenPoint& to, double x, double y)
{
    const double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    const double along = square > 0 ? std::clamp(((x - from.x) * dx + (y - from.y) * dy) / square, 0.0, 1.0) : 0;
    return std::hypot(from.x + along * dx - x, from.y + along * dy - y);
}

bool covers(const Thing& thing, const Vector& place)
{
    const auto axes = rotation_axes(thing.rotation);
    const auto way = place - to_vector(thing.centre);
    const double slack = 0.05;  // metres
    const auto size = to_vector(thing.size);
    return std::abs(dot(way, axes[0])) <= size[0] / 2 + slack && std::abs(dot(way, axes[1])) <= size[1] / 2 + slack;
}

bool near_line(const Layer& layer, const LineMark& line, const ViewTransform& view, double x, double y)
{
    const double reach = std::max(4.0, static_cast<double>(line.width) / view.metres_per_pixel() / 2);
    const auto end = std::min<std::uint64_t>(std::uint64_t{line.first} + line.count, layer.points.size());
    for (std::uint64_t i = line.first; i + 1 < end; ++i) {
        const auto from = view.project(to_vector(layer.points[i])), to = view.project(to_vector(layer.points[i + 1]));
        if (from && to && distance_to(*from, *to, x, y) <= reach) return true;
    }
    return false;
}

}  // namespace

std::optional<QLineF> clipped(QPointF from, QPointF to, double limit)
{
    const auto way = to - from;
    if (!std::isfinite(way.x()) || !std::isfinite(way.y())) return std::nullopt;
    double begin = 0, end = 1;
    const auto cut = [&](double at, double along) {  // at + t * along <= limit
        if (along > 0) end = std::min(end, (limit - at) / along);
        if (along < 0) begin = std::max(begin, (limit - at) / along);
        return at <= limit || along < 0;
    };
    const bool inside =
        cut(from.x(), way.x()) && cut(-from.x(), -way.x()) && cut(from.y(), way.y()) && cut(-from.y(), -way.y());
    if (!inside || !(begin <= end)) return std::nullopt;
    return QLineF(begin > 0 ? from + begin * way : from, end < 1 ? from + end * way : to);
}

QPolygonF clipped(QPolygonF polygon, double limit)
{
    for (const auto& outward : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
        QPolygonF inside;
        for (qsizetype i = 0; i < polygon.size(); ++i) {
            const auto &from = polygon[i == 0 ? polygon.size() - 1 : i - 1], &to = polygon[i];
            const double room_before = limit - QPointF::dotProduct(from, outward),
                         room = limit - QPointF::dotProduct(to, outward);
            if ((room_before < 0) != (room < 0)) inside << from + room_before / (room_before - room) * (to - from);
            if (room >= 0) inside << to;
        }
        polygon = std::move(inside);
    }
    return polygon;
}

QImage paint_picture(const Picture& picture, const Camera& camera, const RenderOptions& options, QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(to_qcolor(background_of(options.theme)));
    const ViewTransform view(camera, picture.origin, {size.width(), size.height()});
    PicturePainter(image, picture, view, options).paint(camera);
    return image;
}

std::optional<Pick> pick_painted(const Picture& picture, const ViewTransform& view, double x, double y,
                                 const RenderOptions& options, PickOrder order)
{
    auto point = pick_point(picture, view, x, y, 4, options);
    if (point && order == PickOrder::point_first) return point;
    const auto place = view.on_level(x, y, static_cast<double>(ground_level(picture)));
    if (!place) return point;
    const Thing* found = nullptr;
    for (const auto& layer : picture.layers) {
        for (const auto& line : layer->lines) {
            if (found || line.thing >= layer->things.size() || !options.shows(layer->things[line.thing])) continue;
            if (near_line(*layer, line, view, x, y)) found = &layer->things[line.thing];
        }
    }
    for (const auto& layer : picture.layers) {
        for (const auto& box : layer->boxes) {
            if (box.thing >= layer->things.size()) continue;
            const auto& thing = layer->things[box.thing];
            if (options.shows(thing) && covers(thing, *place)) found = &thing;
        }
    }
    if (point && (!found || !(found->size[0] > 0))) return point;
    if (!found) return std::nullopt;
    return Pick{.key = found->key, .thing = found, .path = found->path, .place = *place + picture.origin};
}

}  // namespace ositrace::gui
