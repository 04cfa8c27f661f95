// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/ground_truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <ositrace/frame_error.hpp>

#include "lib/picture/lanes.hpp"
#include "lib/picture/moving_objects.hpp"
#include "lib/picture/still_things.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace::picture {

namespace {

using namespace std::string_view_literals;

bool has_any(const MessageView& message, std::span<const std::string_view> fields)
{
    for (const auto field : fields) {
        const auto* const row = repeated_messages(message.table(), field);
        if (row != nullptr && message.has(*row)) return true;
    }
    return false;
}

/// Calls `show`; an error becomes a note with its place. Damage that several kinds of things meet becomes one note.
template <class Show>
void guarded(const GroundTruth& truth, const Frame& frame, Notes& notes, const Show& show)
{
    try {
        show();
    } catch (const Error& error) {
        auto path = truth.prefix;
        if (!path.empty()) path.pop_back();
        notes.broken(within_frame(error.within({.field = std::move(path)}), frame, {}));
    }
}

}  // namespace

/// The source of one layer of a map.
struct GroundTruthPainter::Part {
    struct Work {
        LayerBuilder& to;
        const MessageView& truth;
        LinePointReader& reader;
        const HostLanes& host;
        const BoundaryLines* beside;  ///< of the previous part
        BoundaryLines& lines;
    };
    std::string_view name;
    std::span<const std::string_view> fields;  ///< the layer is kept while their bytes are unchanged
    std::span<const std::string_view> group;   ///< taken from one frame as a whole: lanes with their boundaries
    void (*add)(const Work& work);
};

/// A ground truth that is added to the picture.
struct GroundTruthPainter::Shown {
    const GroundTruth& truth;
    GlobalPoint origin;
    Placement placement;
    Notes& notes;
    Picture& picture;
    const BoundaryLines* last_lines = nullptr;
    bool carried = false;

    /// The frame that contains a group of the map.
    [[nodiscard]] bool is_carried(std::span<const std::string_view> group) const
    {
        return truth.statics && (truth.from->statics_replace || !has_any(truth.view, group)) &&
               has_any(*truth.statics, group);
    }
};

namespace {

constexpr std::array stationary_fields{"stationary_object"sv};
constexpr std::array signs{"traffic_sign"sv};
constexpr std::array markings{"road_marking"sv};
constexpr std::array boundaries{"lane_boundary"sv};
constexpr std::array lane_fields{"lane"sv, "lane_boundary"sv};
constexpr std::array logical_boundaries{"logical_lane_boundary"sv};
constexpr std::array logical_lanes{"logical_lane"sv, "logical_lane_boundary"sv};
constexpr std::array references{"reference_line"sv};
constexpr std::array lights{"traffic_light"sv};

}  // namespace

void GroundTruthPainter::show_part(const Part& part, Shown& shown)
{
    const auto& truth = shown.truth;
    const bool carried = shown.is_carried(part.group);
    const auto& view = carried ? *truth.statics : truth.view;
    if (!carried && !has_any(view, part.fields.first(1))) return;
    const auto& frame = carried ? *truth.from->statics : *truth.from->frame;
    HostLanes host;
    if (carried && part.name == "lane") host = {false, truth.host ? truth.host->lanes : std::vector<std::uint64_t>()};
    const MapCache::Content content{.source = truth.source,
                                    .path = truth.prefix + std::string(part.name),
                                    .ground_truth = view,
                                    .fields = part.fields,
                                    .frame = &frame,
                                    .keeps_frame = carried,
                                    .schema = truth.from->channel->schema,
                                    .origin = shown.origin,
                                    .host = host};
    const auto& made = maps_.get(content, [&] {
        MapPart fresh;
        LayerBuilder to(truth.source, truth.prefix, shown.placement, fresh.notes);
        to.layer().is_static = true;
        to.layer().is_carried = carried;
        guarded(truth, frame, fresh.notes, [&] { part.add({to, view, lines_, host, shown.last_lines, fresh.lines}); });
        fresh.layer = to.take();
        fresh.lines.stand_in(fresh.layer);
        return fresh;
    });
    shown.last_lines = &made.lines;
    shown.carried = shown.carried || carried;
    shown.notes.add_all(made.notes);
    if (!made.layer->things.empty()) shown.picture.layers.push_back(made.layer);
}

void GroundTruthPainter::show_map(Shown& shown)
{
    static constexpr std::array<Part, 8> parts{{
        {"stationary_object", stationary_fields, stationary_fields,
         [](const Part::Work& w) { add_stationary_objects(w.to, w.truth, "stationary_object"); }},
        {"traffic_sign", signs, signs, [](const Part::Work& w) { add_traffic_signs(w.to, w.truth, "traffic_sign"); }},
        {"road_marking", markings, markings,
         [](const Part::Work& w) { add_road_markings(w.to, w.truth, "road_marking"); }},
        {"lane_boundary", boundaries, lane_fields,
         [](const Part::Work& w) { add_lane_boundaries(w.to, w.truth, "lane_boundary", w.reader, w.lines); }},
        {"lane", lane_fields, lane_fields,
         [](const Part::Work& w) {
             add_lanes(w.to, w.truth, "lane", w.reader, w.beside == nullptr ? w.lines : *w.beside, w.host);
         }},
        {"logical_lane_boundary", logical_boundaries, logical_lanes,
         [](const Part::Work& w) {
             add_logical_lane_boundaries(w.to, w.truth, "logical_lane_boundary", w.reader, w.lines);
         }},
        {"logical_lane", logical_lanes, logical_lanes,
         [](const Part::Work& w) {
             add_logical_lanes(w.to, w.truth, "logical_lane", w.beside == nullptr ? w.lines : *w.beside);
         }},
        {"reference_line", references, references,
         [](const Part::Work& w) { add_reference_lines(w.to, w.truth, "reference_line", w.reader); }},
    }};
    for (const auto& part : parts) {
        if (part.fields.size() == 1) shown.last_lines = nullptr;  // of parts before this group
        guarded(shown.truth, *shown.truth.from->frame, shown.notes, [&] { show_part(part, shown); });
    }
    const auto& from = *shown.truth.from;
    if (shown.carried && !from.statics_name.empty())
        shown.notes.say(PictureNote::Kind::information, "the map is " + std::string(from.statics_name));
    else if (shown.carried)
        shown.notes.say(
            PictureNote::Kind::information,
            "the map is that of frame " + std::to_string(from.statics_number) + ", the last one that has it");
}

void GroundTruthPainter::show(const GroundTruth& truth, GlobalPoint origin, Notes& notes, Picture& picture)
{
    Shown shown{truth, origin, Placement(Vector{origin[0], origin[1], origin[2]}), notes, picture};
    show_map(shown);
    if (truth.from->is_past) return;
    const auto& frame = *truth.from->frame;
    if (truth.host_id && !truth.host)
        notes.say(PictureNote::Kind::information, "the host vehicle, " + std::to_string(*truth.host_id) +
                                                      ", is none of the moving objects with a place");
    LayerBuilder to(truth.source, truth.prefix, shown.placement, notes);
    guarded(truth, frame, notes,
            [&] { add_moving_objects(to, truth.view, "moving_object", truth.host_id, truth.from->trails); });
    guarded(truth, frame, notes, [&] { add_traffic_lights(to, truth.view, "traffic_light"); });
    if (const auto layer = to.take(); !layer->things.empty()) picture.layers.push_back(layer);
    if (!shown.is_carried(lights)) return;
    LayerBuilder carried(truth.source, truth.prefix, shown.placement, notes);
    carried.layer().is_carried = true;
    guarded(truth, *truth.from->statics, notes, [&] { add_traffic_lights(carried, *truth.statics, "traffic_light"); });
    if (const auto layer = carried.take(); !layer->things.empty()) picture.layers.push_back(layer);
}

void find_host(GroundTruth& truth, std::optional<std::uint64_t> otherwise)
{
    truth.host_id = id_in(truth.view, "host_vehicle_id");
    if (!truth.host_id) truth.host_id = otherwise;
    if (!truth.host_id && truth.statics)
        truth.host_id = id_in(*truth.statics, "host_vehicle_id");  // sent once, like the map
    if (truth.host_id) truth.host = host_in_ground_truth(truth.view, *truth.host_id);
}

namespace {

std::optional<Vector> place_of_base(const MessageView& thing)
{
    const auto base = message_in(thing, "base");
    return base ? vector_in(*base, "position") : std::nullopt;
}

/// Of all moving objects; without any, some_place_in().
std::vector<Vector> places_in(const GroundTruth& truth)
{
    std::vector<Vector> places;
    if (const auto* const row = repeated_messages(truth.view.table(), "moving_object"))
        truth.view.for_each_element(*row, [&](const Value& value) {
            const auto found = place_of_base(std::get<MessageView>(value));
            if (found && is_place(*found)) places.push_back(*found);
            return true;
        });
    if (places.empty())
        if (const auto place = some_place_in(truth)) places.push_back(*place);
    return places;
}

}  // namespace

std::optional<Vector> some_place_in(const GroundTruth& truth)
{
    std::optional<Vector> place;
    const auto look = [&](const MessageView& view, std::string_view field, const auto& place_of) {
        const auto* const row = repeated_messages(view.table(), field);
        if (row == nullptr || place) return;
        view.for_each_element(*row, [&](const Value& value) {
            const auto found = place_of(std::get<MessageView>(value));
            if (found && is_place(*found)) place = found;
            return !place;
        });
    };
    const auto of_line = [](const MessageView& line) {
        std::optional<Vector> first;
        if (const auto* const row = repeated_messages(line.table(), "boundary_line"))
            line.for_each_element(*row, [&](const Value& value) {
                first = vector_in(std::get<MessageView>(value), "position");
                return false;
            });
        return first;
    };
    look(truth.view, "moving_object", place_of_base);
    for (const auto* const view : {&truth.view, truth.statics ? &*truth.statics : nullptr}) {
        if (view == nullptr) continue;
        look(*view, "stationary_object", place_of_base);
        look(*view, "lane_boundary", of_line);
    }
    return place;
}

bool is_same_truth(const GroundTruth& a, const GroundTruth& b)
try {
    const auto time_of = [](const GroundTruth& truth) {
        const auto time = message_in(truth.view, "timestamp");
        return time ? std::pair(integer_in(*time, "seconds").value_or(0), integer_in(*time, "nanos").value_or(0))
                    : std::pair<std::int64_t, std::int64_t>(-1, -1);
    };
    if (time_of(a) != time_of(b) || a.host_id != b.host_id || a.host.has_value() != b.host.has_value()) return false;
    const auto is_same_place = [](const Vector& one, const Vector& other) { return (one - other).length() < 1e-6; };
    return a.host ? is_same_place(a.host->centre.position, b.host->centre.position)
                  : std::ranges::equal(places_in(a), places_in(b), is_same_place);
} catch (const Error&) {
    return false;  // showing them reports the error
}

}  // namespace ositrace::picture
