// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/web_page.hpp>

#include "lib/web_page/page_clouds.hpp"
#include "lib/web_page/page_data.hpp"
#include "lib/web_page/page_head.hpp"
#include "lib/web_page/page_layers.hpp"
#include "lib/web_page/page_shapes.hpp"
#include "lib/web_page/page_tracks.hpp"

namespace ositrace {

namespace {

using web_page::PageData;
using web_page::Pose;
using web_page::pose_of;

/// What a message begins with: LiveFeed in lib/web_page/player/live.js.
enum class MessageKind : std::uint8_t { start, layer, frame, notice };

PageData begun(MessageKind kind)
{
    PageData data;
    data.number(static_cast<std::uint64_t>(kind));
    return data;
}

PageMessage message_of(const PageData& data) { return std::make_shared<const std::string>(data.bytes()); }

PageLayer layer_of(std::uint64_t number, const PageData& content)
{
    auto data = begun(MessageKind::layer);
    data.number(number);
    data.append(content);
    return {number, message_of(data)};
}

}  // namespace

struct PageStream::Implementation {
    struct ShownLayer {
        std::shared_ptr<const Layer> layer;
        PageLayer sent;
    };

    PageFacts facts;
    std::size_t points_per_cloud;
    std::optional<GlobalPoint> origin;  ///< of the page: that of the first picture
    PageMessage start;
    std::vector<ShownLayer> shown;  ///< of the last picture
    std::uint64_t next_layer = 0;
    web_page::Tracks tracks;  ///< of the last picture

    void begin(const GlobalPoint& at)
    {
        std::set<BodyShape> shapes;
        for (std::size_t i = 0; i < body_shape_count; ++i) shapes.insert(static_cast<BodyShape>(i));
        auto data = begun(MessageKind::start);
        write_head(data, facts, at, shapes);
        start = message_of(data);
        origin = at;
    }
    /// A map that did not change keeps its number.
    [[nodiscard]] PageLayer sent(const std::shared_ptr<const Layer>& layer, const Pose& at)
    {
        const auto same = std::ranges::find(shown, layer, &ShownLayer::layer);
        if (same != shown.end()) return same->sent;
        const auto content = packed(*layer, at);
        for (const auto& [known, as_sent] : shown)
            if (*layer_of(as_sent.number, content).message == *as_sent.message) return as_sent;
        return layer_of(next_layer++, content);
    }
};

PageStream::PageStream(const PageFacts& facts, std::size_t points_per_cloud)
    : implementation_(std::make_unique<Implementation>())
{
    implementation_->facts = facts;
    implementation_->points_per_cloud = points_per_cloud;
}

PageStream::~PageStream() = default;

PageMessage PageStream::start() const noexcept { return implementation_->start; }

PageMoment PageStream::add(Nanoseconds time, const Picture& picture)
{
    auto& page = *implementation_;
    if (!page.origin) page.begin(picture.origin);
    const auto at = pose_of(picture, *page.origin);
    std::vector<Implementation::ShownLayer> shown;
    web_page::Tracks tracks;
    for (const auto& layer : picture.layers)
        if (layer->is_static)
            shown.push_back({layer, page.sent(layer, at)});
        else
            tracks.add(0, *layer, at, &page.tracks);
    page.shown = std::move(shown);

    PageMoment moment;
    auto data = begun(MessageKind::frame);
    data.text(std::to_string(time.count()));
    data.number(page.shown.size());
    for (const auto& each : page.shown) {
        data.number(each.sent.number);
        moment.layers.push_back(each.sent);
    }
    tracks.write(data);
    web_page::Clouds clouds(page.points_per_cloud);
    clouds.add(0, picture, at);
    clouds.write(data);
    page.tracks = std::move(tracks);
    data.number(picture.notes.size());
    for (const auto& note : picture.notes) data.text(note.text);
    moment.frame = message_of(data);
    return moment;
}

std::string page_notice(std::string_view id, std::string_view text)
{
    auto data = begun(MessageKind::notice);
    data.text(id);
    data.text(text);
    return data.bytes();
}

}  // namespace ositrace
