// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trail_finder.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "lib/picture/candidates.hpp"
#include "lib/picture/moment_sources.hpp"

namespace ositrace {

using namespace picture;

namespace {

using PlacesById = std::unordered_map<std::uint64_t, GlobalPoint>;

constexpr std::size_t most_objects = 100'000;  ///< that are read of a list

/// The moving objects of a frame.
struct PlacesOfFrame {
    PlacesById objects, detections;
    std::uint64_t bytes = 0;  ///< of the frame

    [[nodiscard]] std::size_t count() const noexcept { return objects.size() + detections.size(); }
};

template <class PlaceOf>
void add_places(PlacesById& to, const MessageView& parent, const PlaceOf& place_of)
{
    const auto* const row = repeated_messages(parent.table(), "moving_object");
    if (row == nullptr) return;
    std::size_t visited = 0;
    parent.for_each_element(*row, [&](const Value& value) {
        place_of(std::get<MessageView>(value), [&](const ThingId& id, const Vector& place) {
            if (id.is_given && is_place(place)) to.try_emplace(id.number, GlobalPoint{place.x, place.y, place.z});
        });
        return ++visited < most_objects;
    });
}

void add_objects(PlacesById& to, const MessageView& truth)
{
    add_places(to, truth, [](const MessageView& object, const auto& add) {
        const auto base = message_in(object, "base");
        if (const auto place = base ? vector_in(*base, "position") : std::nullopt) add(thing_id_in(object, 0), *place);
    });
}

void add_detections(PlacesById& to, const MessageView& sensor_data, const HostPose& host)
{
    const auto mounting = message_in(sensor_data, "mounting_position");
    const auto pose = mounting ? pose_of(*mounting) : std::nullopt;
    Notes unused;  // written when the frame itself is shown
    const auto sensor = vehicle_frame(Placement(Vector{}), host).mounted(pose.value_or(Pose{}));
    add_places(to, sensor_data, [&](const MessageView& detected, const auto& add) {
        if (const auto base = read_detected_base(detected, "", unused))
            add(tracking_id_of(detected, 0), sensor.to_picture(base->position));
    });
}

/// Of several objects with the same id the first one.
PlacesOfFrame places_in(const Frame& frame, const Channel& channel)
{
    PlacesOfFrame places;
    places.bytes = frame.bytes.size();
    const PictureSource source{.frame = &frame, .channel = &channel};
    const MomentSources moment({&source, 1});
    for (const auto& truth : moment.truths) add_objects(places.objects, truth.view);
    for (const auto& each : moment.open) {
        if (!each.is(MessageType::sensor_data)) continue;
        if (const auto host = moment.host_of(each)) add_detections(places.detections, *each.root, *host);
    }
    return places;
}

/// Appends the places of a frame to the trails that have had one in each of the `length` frames after it.
void prolong(Trails::ById& trails, const PlacesById& places, std::uint64_t length)
{
    for (const auto& [id, place] : places) {
        auto& trail = trails[id];
        if (trail.size() == length) trail.push_back(place);
    }
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
        fresh = {};  // shown when the frame itself is shown
    }
    places += fresh.count();
    return known.emplace(number, std::move(fresh)).first->second;
}

void TrailFinder::Implementation::drop_outside(std::uint32_t channel, std::uint64_t first, std::uint64_t number)
{
    constexpr std::size_t most_places = 1'000'000;
    if (places <= most_places) return;
    for (auto& [which, known] : channels)
        std::erase_if(known, [&, is_other = which != channel](const auto& entry) {
            const bool drops = is_other || entry.first < first || entry.first >= number;
            if (drops) places -= entry.second.count();
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
        if (places.count() == 0 || bytes > most_bytes) break;
        prolong(trails.objects, places.objects, number - i);
        prolong(trails.detections, places.detections, number - i);
    }
    for (auto* const each : {&trails.objects, &trails.detections})
        std::erase_if(*each, [](const auto& trail) { return trail.second.empty(); });
    state.drop_outside(channel, first, number);
    return trails;
}

}  // namespace ositrace
