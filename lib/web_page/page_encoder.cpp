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
#include <ositrace/web_page.hpp>

#include "lib/web_page/page_clouds.hpp"
#include "lib/web_page/page_data.hpp"
#include "lib/web_page/page_head.hpp"
#include "lib/web_page/page_layers.hpp"
#include "lib/web_page/page_shapes.hpp"
#include "lib/web_page/page_tracks.hpp"

namespace ositrace {

namespace {

using namespace web_page;

constexpr std::size_t most_notes = 50;

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
        auto data = packed(*layer, origin);
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

}  // namespace

struct PageEncoder::Implementation {
    std::optional<GlobalPoint> origin;  ///< of the page: that of the first picture
    std::vector<Nanoseconds> times;
    StaticLayers statics;
    Tracks tracks;
    Clouds clouds;
    std::vector<std::string> notes;
    std::set<BodyShape> bodies;

    explicit Implementation(std::size_t points_per_cloud) : clouds(points_per_cloud) {}

    [[nodiscard]] Pose origin_of(const Picture& picture)
    {
        if (!origin) origin = picture.origin;
        return pose_of(picture, *origin);
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
            to.text(event.object ? std::to_string(*event.object) : std::string());
            to.text(event.text);
        }
    }
};

PageEncoder::PageEncoder(std::size_t points_per_cloud)
    : implementation_(std::make_unique<Implementation>(points_per_cloud))
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
    write_head(data, facts, *page.origin, page.bodies);
    page.write_times(data);
    page.write_events(data, facts.events);
    page.statics.write(data);
    page.tracks.write(data);
    page.clouds.write(data);
    data.number(facts.notes.size() + page.notes.size());
    for (const auto* const notes : {&facts.notes, &page.notes})
        for (const auto& note : *notes) data.text(note);
    return deflated(data.bytes());
}

}  // namespace ositrace
