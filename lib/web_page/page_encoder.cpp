// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/version.hpp>
#include <ositrace/web_page.hpp>

#include "lib/web_page/page_data.hpp"
#include "lib/web_page/page_shapes.hpp"
#include "lib/web_page/page_tracks.hpp"

namespace ositrace {

namespace {

using namespace web_page;

constexpr std::size_t most_notes = 50;
constexpr std::int64_t colour_levels = 255;

void write(PageData& to, const PageColour& colour)
{
    for (const auto level : colour) to.number(level);
}

void write(PageData& to, const PageTheme& theme)
{
    write(to, theme.background);
    write(to, theme.grid);
    write(to, theme.highlight);
    for (const auto& each : theme.looks) write(to, each);
    for (const auto& each : theme.categories) write(to, each);
}

/// What a category is drawn as: CategoryKind in gui/web/data.js.
void write(PageData& to, Category category, bool hidden)
{
    const bool is_host = category == Category::host;
    const bool has_body = is_host || category == Category::moving_object || category == Category::stationary_object;
    const bool is_over = is_road_user(category) || category == Category::trajectory;
    to.text(name_of(category));
    for (const bool each : {hidden, is_lane(category), has_face(category), has_body, is_road_user(category), is_over,
                            category == Category::field_of_view, is_host})
        to.number(each);
}

/// Vertices in thousandths: columns of place, offset, normal, paint, steers.
void write(PageData& to, std::span<const PageVertex> body)
{
    constexpr double thousandth = 0.001;
    std::array<Steps, 11> columns;
    for (const auto& vertex : body) {
        std::size_t column = 0;
        for (const auto* const point : {&vertex.place, &vertex.offset, &vertex.normal})
            for (const float value : *point)
                columns[column++].push_back(steps_of(static_cast<double>(value), thousandth));
        columns[column++].push_back(vertex.paint);
        columns[column].push_back(vertex.steers);
    }
    for (const auto& column : columns) to.block(column, Order::similar);
}

/// A layer of the map: its things, then its shapes.
PageData written(const Layer& layer, const Pose& origin)
{
    PageData data;
    data.number(layer.things.size());
    Steps sources, categories, looks;
    std::array<Steps, 3> centres;
    for (const auto& thing : layer.things) {
        sources.push_back(thing.key.source);
        categories.push_back(static_cast<std::int64_t>(thing.key.category));
        looks.push_back(static_cast<std::int64_t>(thing.look));
        for (std::size_t k = 0; k < 3; ++k)
            centres[k].push_back(steps_of(static_cast<double>(thing.centre[k]) + origin.centre[k], page_metres));
    }
    for (const auto* const column : {&sources, &categories, &looks}) data.block(*column, Order::similar);
    for (const auto& column : centres) data.block(column, Order::similar);
    for (const auto& thing : layer.things) {
        data.text(thing.has_id ? std::to_string(thing.key.id) : std::string());
        data.text(thing.label);
    }
    const Pose page;
    Shapes shapes;
    const auto count = layer.things.size();
    for (const auto& box : layer.boxes)
        if (box.thing < count) shapes.add(box, box.thing, origin, page);
    for (const auto& line : layer.lines)
        if (line.thing < count) shapes.add(line, line.thing, points_of(layer, line.first, line.count), origin, page);
    for (const auto& strip : layer.strips)
        if (strip.thing < count)
            shapes.add(strip, strip.thing, points_of(layer, strip.first, strip.count), origin, page);
    shapes.write(data);
    return data;
}

/// The layers of maps, each stored once, and which of them each frame has.
class StaticLayers {
public:
    void add(std::size_t frame, const Picture& picture, const Pose& origin)
    {
        std::vector<std::pair<std::shared_ptr<const Layer>, std::uint64_t>> shown;
        for (const auto& layer : picture.layers)
            if (layer->is_static) shown.emplace_back(layer, number_of(layer, origin));
        std::vector<std::uint64_t> numbers;
        for (const auto& each : shown) numbers.push_back(each.second);
        if (runs_.empty() || runs_.back().second != numbers) runs_.emplace_back(frame, std::move(numbers));
        shown_ = std::move(shown);
    }
    void write(PageData& to) const
    {
        to.number(layers_.size());
        for (const auto* const layer : layers_) to.append(*layer);
        to.number(runs_.size());
        for (const auto& [frame, numbers] : runs_) {
            to.number(frame);
            to.number(numbers.size());
            for (const auto number : numbers) to.number(number);
        }
    }

private:
    std::uint64_t number_of(const std::shared_ptr<const Layer>& layer, const Pose& origin)
    {
        for (const auto& [known, number] : shown_)
            if (known == layer) return number;
        auto data = written(*layer, origin);
        auto key = data.bytes();
        const auto [place, is_new] = by_content_.try_emplace(std::move(key), layers_.size(), std::move(data));
        if (is_new) layers_.push_back(&place->second.second);
        return place->second.first;
    }

    std::map<std::string, std::pair<std::uint64_t, PageData>> by_content_;
    std::vector<const PageData*> layers_;
    std::vector<std::pair<std::size_t, std::vector<std::uint64_t>>> runs_;       ///< first frame, numbers of its layers
    std::vector<std::pair<std::shared_ptr<const Layer>, std::uint64_t>> shown_;  ///< of the last frame
};

/// Clouds of points, thinned.
class Clouds {
public:
    explicit Clouds(std::size_t most_points) : most_points_(most_points) {}

    void add(std::size_t frame, const Picture& picture, const Pose& origin)
    {
        if (most_points_ == 0) {
            if (!picture.clouds.empty()) left_out_ = true;
            return;
        }
        for (const auto& cloud : picture.clouds)
            if (!cloud->points.empty()) add(frame, *cloud, origin);
    }
    void write(PageData& to) const
    {
        to.number(left_out_);
        to.number(count_);
        to.append(data_);
    }

private:
    void add(std::size_t frame, const Cloud& cloud, const Pose& origin)
    {
        const auto all = cloud.points.size();
        const auto count = std::min(all, most_points_);
        const auto* const field = cloud.fields.empty() ? nullptr : &cloud.fields.front();
        std::array<Steps, 3> places;
        Steps levels;
        for (std::size_t i = 0; i < count; ++i) {
            const auto element = i * all / count;
            for (std::size_t k = 0; k < 3; ++k)
                places[k].push_back(
                    steps_of(static_cast<double>(cloud.points[element][k]) + origin.centre[k], page_metres));
            if (field != nullptr) levels.push_back(level_of(*field, element));
        }
        ++count_;
        data_.number(frame);
        data_.number(cloud.key.source);
        data_.number(static_cast<std::uint64_t>(cloud.key.category));
        data_.text(cloud.name);
        data_.text(field != nullptr ? field->name : std::string());
        for (const auto& column : places) data_.block(column, Order::similar);
        data_.block(levels, Order::similar);
    }
    /// From 0, the smallest value, to 255.
    static std::int64_t level_of(const CloudField& field, std::size_t element)
    {
        const float range = field.largest - field.smallest;
        if (element >= field.values.size() || !(range > 0)) return 0;
        const auto share = static_cast<double>((field.values[element] - field.smallest) / range);
        return std::clamp(steps_of(share, 1.0 / colour_levels), std::int64_t{0}, colour_levels);
    }

    std::size_t most_points_;
    bool left_out_ = false;
    std::uint64_t count_ = 0;
    PageData data_;
};

}  // namespace

struct PageEncoder::Implementation {
    PageStyle style;
    std::optional<GlobalPoint> origin;  ///< of the page: that of the first picture
    std::vector<Nanoseconds> times;
    StaticLayers statics;
    Tracks tracks;
    Clouds clouds;
    std::vector<std::string> notes;
    std::set<BodyShape> bodies;

    Implementation(const PageStyle& style_, std::size_t points_per_cloud) : style(style_), clouds(points_per_cloud) {}

    [[nodiscard]] Pose origin_of(const Picture& picture)
    {
        if (!origin) origin = picture.origin;
        Pose pose;
        for (std::size_t k = 0; k < 3; ++k) pose.centre[k] = picture.origin[k] - (*origin)[k];
        return pose;
    }
    void add_notes(const Picture& picture)
    {
        for (const auto& note : picture.notes)
            if (notes.size() < most_notes && std::ranges::find(notes, note.text) == notes.end())
                notes.push_back(note.text);
    }
    void write_times(PageData& to) const
    {
        to.text(std::to_string(times.front().count()));
        Steps since;
        for (const auto time : times) since.push_back((time - times.front()).count());
        to.block(since, Order::on_a_line);
    }
    void write_events(PageData& to, const std::vector<PageEvent>& events) const
    {
        to.number(events.size());
        for (const auto& event : events) {
            to.text(std::to_string((event.from - times.front()).count()));
            to.text(std::to_string((event.to - times.front()).count()));
            to.text(event.kind);
            to.text(event.text);
        }
    }
    void write_style(PageData& to) const
    {
        to.number(look_count);
        for (std::size_t i = 0; i < look_count; ++i) {
            to.text(name_of(static_cast<Look>(i)));
            to.number(style.lamps[i]);
            to.number(style.shining[i]);
        }
        to.number(static_cast<std::uint64_t>(Look::velocity));
        to.number(category_count);
        for (std::size_t i = 0; i < category_count; ++i) write(to, static_cast<Category>(i), style.hidden[i]);
        for (const auto* const theme : {&style.dark, &style.light}) ositrace::write(to, *theme);
        to.number(bodies.size());
        for (const auto shape : bodies) {
            to.number(static_cast<std::uint64_t>(shape));
            write(to, style.bodies[static_cast<std::size_t>(shape)]);
        }
    }
};

PageEncoder::PageEncoder(const PageStyle& style, std::size_t points_per_cloud)
    : implementation_(std::make_unique<Implementation>(style, points_per_cloud))
{
}

PageEncoder::~PageEncoder() = default;

std::size_t PageEncoder::frames() const noexcept { return implementation_->times.size(); }

void PageEncoder::add(Nanoseconds time, const Picture& picture)
{
    auto& page = *implementation_;
    const auto frame = page.times.size();
    const auto origin = page.origin_of(picture);
    page.times.push_back(time);
    page.statics.add(frame, picture, origin);
    for (const auto& layer : picture.layers) {
        for (const auto& box : layer->boxes) page.bodies.insert(box.shape);
        if (!layer->is_static) page.tracks.add(frame, *layer, origin);
    }
    page.clouds.add(frame, picture, origin);
    page.add_notes(picture);
}

std::string PageEncoder::finish(const PageFacts& facts)
{
    const auto& page = *implementation_;
    if (page.times.empty()) throw Error(Cause::unsupported, "the page would have no frame");
    PageData data;
    data.text(version());
    data.text(facts.title);
    data.number(facts.dark);
    data.number(facts.sources.size());
    for (const auto& source : facts.sources) data.text(source);
    for (const auto value : *page.origin) data.text(std::to_string(value));
    page.write_style(data);
    page.write_times(data);
    page.write_events(data, facts.events);
    page.statics.write(data);
    page.tracks.write(data);
    page.clouds.write(data);
    data.number(page.notes.size());
    for (const auto& note : page.notes) data.text(note);
    return deflated(data.bytes());
}

}  // namespace ositrace
