// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trail_finder.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "lib/picture/fields.hpp"
#include "lib/picture/placement.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace {

using namespace picture;

namespace {

/// The moving objects of a frame.
struct PlacesOfFrame {
    std::unordered_map<std::uint64_t, GlobalPoint> by_id;
    std::uint64_t bytes = 0;  ///< of the frame
};

/// Of several objects with the same id the first one.
PlacesOfFrame places_in(const Frame& frame, const Channel& channel)
{
    constexpr std::size_t most_objects = 100'000;
    PlacesOfFrame places;
    places.bytes = frame.bytes.size();
    std::size_t visited = 0;
    const MessageView root(frame.bytes, *channel.root, channel.format);
    for_each_ground_truth(root, [&](const MessageView& truth) {
        const auto* const row = repeated_messages(truth.table(), "moving_object");
        if (row == nullptr) return;
        truth.for_each_element(*row, [&](const Value& value) {
            const auto& object = std::get<MessageView>(value);
            const auto id = id_in(object, "id");
            const auto base = message_in(object, "base");
            const auto place = base ? vector_in(*base, "position") : std::nullopt;
            if (id && place && is_place(*place))
                places.by_id.try_emplace(*id, GlobalPoint{place->x, place->y, place->z});
            return ++visited < most_objects;
        });
    });
    return places;
}

}  // namespace

struct TrailFinder::Implementation {
    using Known = std::map<std::uint64_t, PlacesOfFrame>;  ///< by number of the frame

    std::shared_ptr<const Trace> trace;
    std::map<std::uint32_t, Known> channels;
    std::size_t places = 0;  ///< that are kept

    const PlacesOfFrame& look(std::uint32_t channel, std::uint64_t number);
    void drop_outside(std::uint32_t channel, std::uint64_t first, std::uint64_t number);
};

const PlacesOfFrame& TrailFinder::Implementation::look(std::uint32_t channel, std::uint64_t number)
{
    auto& known = channels[channel];
    if (const auto found = known.find(number); found != known.end()) return found->second;
    PlacesOfFrame fresh;
    try {
        fresh = places_in(trace->frame(channel, number), trace->info().channels[channel]);
    } catch (const Error&) {
        fresh.by_id.clear();  // shown when the frame itself is shown
    }
    places += fresh.by_id.size();
    return known.emplace(number, std::move(fresh)).first->second;
}

void TrailFinder::Implementation::drop_outside(std::uint32_t channel, std::uint64_t first, std::uint64_t number)
{
    constexpr std::size_t most_places = 1'000'000;
    if (places <= most_places) return;
    for (auto& [which, known] : channels)
        std::erase_if(known, [&, is_other = which != channel](const auto& entry) {
            const bool drops = is_other || entry.first < first || entry.first >= number;
            if (drops) places -= entry.second.by_id.size();
            return drops;
        });
}

TrailFinder::TrailFinder(std::shared_ptr<const Trace> trace) : implementation_(std::make_unique<Implementation>())
{
    implementation_->trace = std::move(trace);
}
TrailFinder::TrailFinder(TrailFinder&&) noexcept = default;
TrailFinder& TrailFinder::operator=(TrailFinder&&) noexcept = default;
TrailFinder::~TrailFinder() = default;

Trails TrailFinder::find(std::uint32_t channel, std::uint64_t first, std::uint64_t number, std::stop_token stop)
{
    auto& state = *implementation_;
    Trails trails;
    const auto& channels = state.trace->info().channels;
    if (channel >= channels.size() || channels[channel].root == nullptr) return trails;
    std::uint64_t bytes = 0;
    for (auto i = number; i > first && number - i < most_frames && !stop.stop_requested(); --i) {
        const auto& places = state.look(channel, i - 1);
        bytes += places.bytes;
        if (places.by_id.empty() || bytes > most_bytes) break;
        for (const auto& [id, place] : places.by_id) {
            auto& trail = trails[id];
            if (trail.size() == number - i) trail.push_back(place);  // without a gap
        }
    }
    std::erase_if(trails, [](const auto& trail) { return trail.second.empty(); });
    state.drop_outside(channel, first, number);
    return trails;
}

}  // namespace ositrace
