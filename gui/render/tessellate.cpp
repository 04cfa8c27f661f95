// SPDX-License-Identifier: MPL-2.0
#include "gui/render/tessellate.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gui/render/tessellate_box.hpp"

namespace ositrace::gui {

namespace {

constexpr bool is_map(Category category) noexcept { return category >= Category::lane && category <= Category::road_marking; }

using Rgba = std::array<std::uint8_t, 4>;

class Tessellator {
public:
    Tessellator(const Picture& picture, Part part, const RenderOptions& options) : picture_(picture), part_(part), options_(options) {}

    Shapes run()
    {
        for (const auto& strip : picture_.strips) {
            if (wanted(strip.thing)) add(strip);
        }
        for (const auto& line : picture_.lines) {
            if (wanted(line.thing)) add(line);
        }
        if (part_ == Part::moving) {
            for (const auto& box : picture_.boxes) {
                if (box.thing < picture_.things.size() && options_.shows(category(box.thing))) add(box);
            }
        }
        return std::move(shapes_);
    }

private:
    [[nodiscard]] Category category(std::uint32_t thing) const { return picture_.things[thing].key.category; }
    [[nodiscard]] bool wanted(std::uint32_t thing) const
    {
        if (thing >= picture_.things.size()) return false;
        return is_map(category(thing)) == (part_ == Part::standing) && options_.shows(category(thing));
    }
    [[nodiscard]] std::span<const Point> points(std::uint32_t first, std::uint32_t count) const
    {
        const std::span all(picture_.points);
        return first <= all.size() && count <= all.size() - first ? all.subspan(first, count) : std::span<const Point>();
    }
    [[nodiscard]] Mesh& mesh_of(std::uint32_t thing, bool upright)
    {
        if (category(thing) == Category::field_of_view) return shapes_.over;
        if (upright) return shapes_.upright;
        switch (category(thing)) {
        case Category::host:
        case Category::moving_object:
        case Category::detected_moving_object:
            return shapes_.over;
        default:
            return shapes_.flat;
        }
    }

    void add(const StripMark& strip)
    {
        const auto places = points(strip.first, strip.count);
        const auto colour = bytes_of(colour_of(strip.look, options_.theme));
        auto faded = colour;
        if (strip.fade > 0) faded[3] = 0;
        auto& triangles = mesh_of(strip.thing, false).triangles;
        for (std::size_t i = 0; i + 2 < places.size(); ++i) {
            for (std::size_t k = i; k < i + 3; ++k) triangles.push_back({places[k], k % 2 ? faded : colour, strip.thing});
        }
    }

    void add(const LineMark& line)
    {
        const auto places = points(line.first, line.count);
        if (places.size() < 2) return;
        const auto colour = bytes_of(colour_of(line.look, options_.theme));
        auto& mesh = mesh_of(line.thing, line.height > 0);
        const bool dashes = line.dashed && places.size() > 2;
        for (std::size_t i = 0; i + 1 < places.size(); i += dashes ? 2 : 1) {
            const bool alone = dashes;
            Segment segment{places[alone || i == 0 ? i : i - 1], places[i], places[i + 1], places[alone || i + 2 == places.size() ? i + 1 : i + 2],
                            line.width, 1.25F * options_.pixel_ratio, colour, line.thing};
            if (line.height > 0) {
                wall(mesh, segment, line.height);
            } else {
                mesh.segments.push_back(segment);
            }
        }
        if (line.arrow) arrow_head(mesh, line, places, colour);
    }

    static void wall(Mesh& mesh, Segment segment, float height)
    {
        auto top_from = segment.from, top_to = segment.to;
        top_from[2] += height;
        top_to[2] += height;
        auto body = segment.colour;
        for (int i = 0; i < 3; ++i) body[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(body[static_cast<std::size_t>(i)] * 7 / 10);
        for (const auto& place : {segment.from, segment.to, top_to, segment.from, top_to, top_from}) {
            mesh.triangles.push_back({place, body, segment.thing});
        }
        for (auto* place : {&segment.before, &segment.from, &segment.to, &segment.behind}) (*place)[2] += height;
        mesh.segments.push_back(segment);
    }

    /// Lies flat, its point where the line ends; the line is cut back to its middle.
    static void arrow_head(Mesh& mesh, const LineMark& line, std::span<const Point> places, const Rgba& colour)
    {
        const auto tip = to_vector(places.back());
        auto along = tip - to_vector(places[places.size() - 2]);
        along[2] = 0;
        const double reach = length(along);
        if (!(reach > 1e-3)) return;
        along = (1 / reach) * along;
        const Vector aside{-along[1], along[0], 0};
        const double head = std::min(std::max(4.5 * line.width, 0.3), reach), half = head * 0.4;
        for (const auto& place : {tip, tip - head * along + half * aside, tip - head * along - half * aside}) {
            mesh.triangles.push_back({to_point(place), colour, line.thing});
        }
        if (!mesh.segments.empty() && mesh.segments.back().thing == line.thing) {
            mesh.segments.back().to = mesh.segments.back().behind = to_point(tip - (0.7 * head) * along);
        }
    }

    void add(const BoxMark& box)
    {
        const auto colour = colour_of(box.look, options_.theme);
        const auto body = box_instance(box, colour, arrow_is_wanted(box));
        if (!box.wire_only) (colour[3] < 1 ? shapes_.glass : shapes_.boxes).push_back(body);
        if (has_edges(box)) add_box_edges(body, edge_colour(colour, box.wire_only, options_.theme), options_.pixel_ratio * (box.wire_only ? 2.F : 1.25F), shapes_.edges);
    }
    [[nodiscard]] bool arrow_is_wanted(const BoxMark& box) const
    {
        const auto& thing = picture_.things[box.thing];
        const bool moves = thing.key.category == Category::host || thing.key.category == Category::moving_object;
        return moves && !box.wire_only && box.size == thing.size;
    }
    [[nodiscard]] static bool has_edges(const BoxMark& box) { return !shines(box.look); }

    const Picture& picture_;
    Part part_;
    const RenderOptions& options_;
    Shapes shapes_;
};

/// FNV-1a over words: fast enough for a map at every frame.
class Fingerprint {
public:
    template <class Element>
    void add(const Element& element) noexcept
    {
        static_assert(sizeof element % 4 == 0);
        std::array<std::uint32_t, sizeof element / 4> words{};
        std::copy_n(reinterpret_cast<const unsigned char*>(&element), sizeof element, reinterpret_cast<unsigned char*>(words.data()));
        for (const auto word : words) value_ = (value_ ^ word) * 0x100000001b3U;
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

template <class Mark>
void add_places(Fingerprint& print, const Picture& picture, const Mark& mark) noexcept
{
    const auto end = std::min<std::uint64_t>(std::uint64_t{mark.first} + mark.count, picture.points.size());
    for (std::uint64_t i = mark.first; i < end; ++i) print.add(picture.points[i]);
}

}  // namespace

Shapes tessellate(const Picture& picture, Part part, const RenderOptions& options) { return Tessellator(picture, part, options).run(); }

std::uint64_t fingerprint(const Picture& picture, Part part, const RenderOptions& options) noexcept
{
    Fingerprint print;
    print.add(options.hidden.to_ulong());
    print.add(static_cast<std::uint32_t>(options.theme));
    print.add(options.pixel_ratio);
    const auto wanted = [&](std::uint32_t thing) {
        return thing < picture.things.size() && is_map(picture.things[thing].key.category) == (part == Part::standing);
    };
    for (const auto& line : picture.lines) {
        if (!wanted(line.thing)) continue;
        print.add(std::array{line.thing, static_cast<std::uint32_t>(line.look), line.dashed + 2U * line.arrow, line.count});
        print.add(static_cast<std::uint32_t>(picture.things[line.thing].key.category));
        print.add(std::array{line.width, line.height});
        add_places(print, picture, line);
    }
    for (const auto& strip : picture.strips) {
        if (!wanted(strip.thing)) continue;
        print.add(std::array{strip.thing, static_cast<std::uint32_t>(strip.look), strip.count});
        print.add(strip.fade);
        add_places(print, picture, strip);
    }
    return print.value();
}

float ground_level(const Picture& picture) noexcept
{
    const auto bottom = [](const Point& centre, const std::array<float, 3>& size) { return centre[2] - size[2] / 2; };
    if (picture.host && *picture.host < picture.things.size()) {
        const auto& host = picture.things[*picture.host];
        if (const float level = bottom(host.centre, host.size); std::isfinite(level)) return level;
    }
    std::optional<float> lowest;
    for (const auto& box : picture.boxes) {
        const float level = bottom(box.centre, box.size);
        if (std::isfinite(level) && (!lowest || level < *lowest)) lowest = level;
    }
    return lowest.value_or(0);
}

}  // namespace ositrace::gui
