// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_map.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include <ositrace/count_text.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/protobuf/named_writer.hpp"
#include "lib/open_drive/placed_map.hpp"
#include "lib/open_drive/projection.hpp"

namespace ositrace {

namespace {

constexpr std::uint64_t first_map_id = 1'000'000'000'000;

std::string number(double value)
{
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 3).ptr};
}

void note_placement(TraceMap& map, const MapFrame& frame)
{
    if (map.placement)
        map.notes.emplace_back(Cause::mismatch, "the map is moved by (" + number(map.placement->x) + ", " +
                                                    number(map.placement->y) + ", " + number(map.placement->z) +
                                                    ") m and turned by " + number(map.placement->yaw) +
                                                    " rad: its offset and that of the trace differ");
    if (const auto note = projection_note(map.map, frame))
        map.notes.emplace_back(note->is_other ? Cause::mismatch : Cause::unsupported, note->text);
    if (!map_fits(map.objects, map.far_objects))
        map.notes.emplace_back(Cause::mismatch, "the map does not fit: " + std::to_string(map.far_objects) + " of " +
                                                    count_text(map.objects, "object") + ' ' +
                                                    is_or_are(map.far_objects) + " more than 10 m from any lane");
}

/// With the file as it was given, and with the place in a trace.
Error located(const Error& error, const MapDocument& document)
{
    if (!document.is_in_trace()) return error.within({.file = document.place()});
    constexpr std::string_view subject = "the map ";
    const auto& reason = error.reason();
    const bool is_of_whole = reason.starts_with(subject);
    return error
        .reworded(std::string(subject) + "in the " + place_in_trace(document) + (is_of_whole ? " " : ": ") +
                  (is_of_whole ? reason.substr(subject.size()) : reason))
        .within({.file = document.place()});
}

}  // namespace

std::optional<MapOffset> map_placement(const MapFrame& trace, const GroundTruthMap& map)
{
    if (!trace.offset || !map.offset || *trace.offset == *map.offset ||
        compare_projections(projection_of(trace), map.geo_reference) != ProjectionMatch::same)
        return std::nullopt;
    const auto &osi = *trace.offset, &odr = *map.offset;
    const double x = odr.x - osi.x, y = odr.y - osi.y;
    const double sine = std::sin(-osi.yaw), cosine = std::cos(-osi.yaw);
    return MapOffset{cosine * x - sine * y, sine * x + cosine * y, odr.z - osi.z,
                     std::remainder(odr.yaw - osi.yaw, 2 * 3.14159265358979323846)};
}

std::shared_ptr<const TraceMap> placed_map(MapDocument document, const FirstTruth& truth, std::size_t max_bytes,
                                           double max_deviation)
{
    auto result = std::make_shared<TraceMap>();
    try {
        MapOptions options;
        options.max_deviation = max_deviation;
        options.first_id = first_map_id;
        options.states_version = false;
        options.max_message_bytes = max_bytes;
        options.reference = document.reference;
        result->map = read_open_drive(document.xml, options);
        result->placement = map_placement(truth.frame, result->map);
        if (result->placement) {
            options.placement = result->placement;
            result->map = read_open_drive(document.xml, options);
        }
    } catch (const Error& error) {
        throw located(error, document);
    }
    result->objects = truth.objects.size();
    result->lanes = std::make_shared<const LaneFrame>(
        MessageView(result->map.message->bytes(), Schema::built_in()->root(MessageType::ground_truth), {}));
    if (result->map.lanes != 0)
        result->far_objects = static_cast<std::size_t>(std::ranges::count_if(
            truth.objects, [&](const TruthPlace& at) { return !result->lanes->reaches(at.x, at.y, at.z); }));
    result->document = std::move(document);
    result->notes = result->map.notes;
    note_placement(*result, truth.frame);
    for (auto& note : result->notes) note = located(note, result->document);
    const auto& of_document = result->document.notes;
    result->notes.insert(result->notes.begin(), of_document.begin(), of_document.end());
    return result;
}

std::shared_ptr<const TraceMap> map_of(const Trace& trace, const MapSearch& search)
{
    auto document = find_map_document(trace, search);
    return document ? placed_map(*std::move(document), first_truth_of(trace), search.max_bytes, search.max_deviation)
                    : nullptr;
}

std::optional<Frame> map_frame(const TraceMap& map, const Channel& channel)
{
    if (channel.root == nullptr || !channel.schema) return std::nullopt;
    auto message = map.map.message;
    if (channel.type == MessageType::sensor_view) {
        auto wrapped = std::make_shared<ByteBuffer>();
        NamedWriter out(*wrapped, Schema::built_in()->root(MessageType::sensor_view));
        out.message("global_ground_truth", [&] { wrapped->append(message->bytes()); }, message->size());
        message = std::move(wrapped);
    } else if (channel.type != MessageType::ground_truth) {
        return std::nullopt;
    }
    if (channel.format.encoding != Encoding::protobuf) {
        auto other = std::make_shared<ByteBuffer>();
        Transcoder(*channel.root, Format{}, channel.format).transcode(message->bytes(), *other);
        message = std::move(other);
    }
    Frame frame;
    frame.bytes = message->bytes();
    frame.owner = std::move(message);
    return frame;
}

}  // namespace ositrace
