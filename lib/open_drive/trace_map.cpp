// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_map.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/protobuf/named_writer.hpp"
#include "formats/protobuf/wire.hpp"
#include "lib/io/file_source.hpp"
#include "lib/open_drive/open_drive_stream.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace {

namespace {

constexpr std::uint64_t first_map_id = 1'000'000'000'000;
constexpr double far_from_lanes = 10;  // metres

struct Point {
    double x = 0, y = 0;
};

/// What the first ground truth of a trace says.
struct FirstTruth {
    MapFrame frame;
    std::vector<Point> objects;
};

double real(const std::optional<MessageView>& message, std::string_view field)
{
    return message ? as_real((*message)[field]).value_or(0) : 0;
}

std::optional<MessageView> child(const std::optional<MessageView>& message, std::string_view field)
{
    if (!message) return std::nullopt;
    auto value = (*message)[field];
    auto* const found = std::get_if<MessageView>(&value);
    return found == nullptr ? std::nullopt : std::optional(std::move(*found));
}

std::string text(const MessageView& message, std::string_view field)
{
    const auto value = message[field];
    const auto* const found = std::get_if<std::string_view>(&value);
    return found == nullptr ? std::string() : std::string(*found);
}

std::vector<Point> positions(const MessageView& ground_truth)
{
    std::vector<Point> all;
    const auto* const objects = ground_truth.table().find("moving_object");
    if (objects == nullptr) return all;
    ground_truth.for_each_element(*objects, [&](const Value& value) {
        const auto position = child(child(std::get<MessageView>(value), "base"), "position");
        if (position) all.push_back({real(position, "x"), real(position, "y")});
        return true;
    });
    return all;
}

FirstTruth first_truth_in(const MessageView& ground_truth)
{
    // One by one: after an Error in such a nested list, GCC 12 destroys what was made before twice.
    FirstTruth first;
    first.frame.reference = text(ground_truth, "map_reference");
    first.frame.projection = text(ground_truth, "proj_string");
    first.objects = positions(ground_truth);
    if (const auto offset = child(ground_truth, "proj_frame_offset")) {
        const auto position = child(offset, "position");
        first.frame.offset =
            MapOffset{real(position, "x"), real(position, "y"), real(position, "z"), real(offset, "yaw")};
    }
    return first;
}

FirstTruth first_truth(const Trace& trace)
{
    std::optional<FirstTruth> first;
    const auto& channels = trace.info().channels;
    for (std::uint32_t i = 0; i < channels.size() && !first; ++i) {
        if (!can_have_map(channels[i])) continue;
        try {
            const auto frame = trace.frame(i, trace.first_frame(i));
            for_each_ground_truth({frame.bytes, *channels[i].root, channels[i].format}, [&](const MessageView& truth) {
                if (!first) first = first_truth_in(truth);
            });
        } catch (const Error&) {
            // A channel without a message, or one that cannot be read, says nothing about the map.
        }
    }
    return first.value_or(FirstTruth{});
}

/// The strings of an osi3.MapAsamOpenDrive (omega-prime): map_reference = 1, open_drive_xml_content = 2.
std::pair<std::string, std::string> map_message(Bytes payload)
{
    std::pair<std::string, std::string> found;
    const auto* at = payload.data();
    const auto* const end = at + payload.size();
    while (at != nullptr && at < end) {
        std::uint32_t tag = 0;
        at = wire::read_tag(at, end, tag);
        if (at == nullptr) break;
        if (wire::wire_type_of(tag) != wire::length_delimited) {
            at = wire::skip_field(at, end, tag, max_message_depth);
            continue;
        }
        std::size_t length = 0;
        at = wire::read_length(at, end, length);
        if (at == nullptr) break;
        if (wire::number_of(tag) == 1) found.first = text_of({at, length});
        if (wire::number_of(tag) == 2) found.second = text_of({at, length});
        at += length;
    }
    if (at == nullptr) throw Error(Cause::malformed, "the map in this message cannot be read");
    return found;
}

bool is_map_channel(const Channel& channel)
{
    return channel.type_name == "osi3.MapAsamOpenDrive" || channel.topic == "/ground_truth_map";
}

std::optional<MapDocument> map_in_channel(const Trace& trace)
{
    const auto& channels = trace.info().channels;
    for (std::uint32_t i = 0; i < channels.size(); ++i)
        if (is_map_channel(channels[i]) && trace.frame_count(i) != 0) {
            auto [reference, xml] = map_message(trace.frame(i, 0).bytes);
            if (!xml.empty()) return MapDocument{MapOrigin::channel, channels[i].topic, std::move(xml)};
        }
    return std::nullopt;
}

bool has_map_name(std::string_view name)
{
    constexpr std::string_view extension = ".xodr";
    return name.size() > extension.size() &&
           std::ranges::equal(name.substr(name.size() - extension.size()), extension, {},
                              [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

std::optional<MapDocument> map_in_attachment(const Trace& trace, std::size_t max_bytes)
{
    for (const auto& attachment : trace.info().attachments) {
        if (!has_map_name(attachment.name)) continue;
        if (attachment.bytes > max_bytes)
            throw Error(Cause::limit, attachment.name + " has more than " + std::to_string(max_bytes) + " bytes");
        MapDocument document{MapOrigin::attachment, attachment.name, {}};
        attachment.read([&](Bytes piece) { document.xml += text_of(piece); });
        return document;
    }
    return std::nullopt;
}

std::string text_of_file(const std::filesystem::path& file, std::size_t max_bytes)
{
    const auto source = FileSource::open(file);
    return whole_text(*source, max_bytes, {});
}

bool is_file(const std::filesystem::path& file)
{
    std::error_code none;
    return std::filesystem::is_regular_file(file, none);
}

/// `drive.osi.zst` has the stem `drive`.
std::filesystem::path map_with_stem(const std::filesystem::path& trace)
{
    auto map = trace;
    while (map.has_extension() && map.extension() != map.filename()) {
        map.replace_extension();
        auto candidate = map;
        candidate += ".xodr";
        if (is_file(candidate)) return candidate;
    }
    return {};
}

using Projection = std::map<std::string, std::string, std::less<>>;

/// `+proj=utm +zone=32`: names and values.
Projection projection(std::string_view text)
{
    Projection all;
    while (!text.empty()) {
        const auto start = text.find('+');
        if (start == std::string_view::npos) break;
        text.remove_prefix(start + 1);
        const auto end = std::min(text.find_first_of(" \t\r\n"), text.size());
        const auto word = text.substr(0, end), name = word.substr(0, word.find('='));
        all[std::string(name)] = word.substr(std::min(name.size() + 1, word.size()));
        text.remove_prefix(end);
    }
    return all;
}

bool is_same_value(const std::string& a, const std::string& b)
{
    if (a == b) return true;
    double x = 0, y = 0;
    const auto read = [](const std::string& from, double& to) {
        return !from.empty() &&
               std::from_chars(from.data(), from.data() + from.size(), to).ptr == from.data() + from.size();
    };
    return read(a, x) && read(b, y) && std::abs(x - y) <= 1e-9 * std::max(1.0, std::abs(x));
}

double square_distance(Point p, Point a, Point b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    const double part = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
    const double x = p.x - a.x - part * dx, y = p.y - a.y - part * dy;
    return x * x + y * y;
}

/// How many of these places are far from every boundary of a lane.
std::size_t far_from(const GroundTruthMap& map, const std::vector<Point>& places)
{
    if (places.empty()) return 0;
    const MessageView truth(map.message->bytes(), Schema::built_in()->root(MessageType::ground_truth), {});
    std::vector<double> least(places.size(), 1e300);
    std::vector<Point> line;
    truth.for_each_element(*truth.table().find("logical_lane_boundary"), [&](const Value& boundary) {
        line.clear();
        const auto& view = std::get<MessageView>(boundary);
        view.for_each_element(*view.table().find("boundary_line"), [&](const Value& point) {
            const auto position = child(std::get<MessageView>(point), "position");
            line.push_back({real(position, "x"), real(position, "y")});
            return true;
        });
        for (std::size_t k = 0; k < places.size(); ++k)
            for (std::size_t i = 0; i + 1 < line.size(); ++i)
                least[k] = std::min(least[k], square_distance(places[k], line[i], line[i + 1]));
        return true;
    });
    return static_cast<std::size_t>(
        std::ranges::count_if(least, [](double square) { return square > far_from_lanes * far_from_lanes; }));
}

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
    const auto& of_map = map.map.geo_reference;
    if (!of_map.empty() && !frame.projection.empty() && !is_same_projection(of_map, frame.projection))
        map.notes.emplace_back(Cause::mismatch, "the map has another projection than the trace");
    // esmini writes a PROJ string where OSI wants the name of the map.
    if (frame.reference.starts_with("+proj") && !of_map.empty() && !is_same_projection(of_map, frame.reference))
        map.notes.emplace_back(Cause::mismatch,
                               "map_reference of the trace is another projection than that of the map");
    if (map.far_objects != 0)
        map.notes.emplace_back(Cause::mismatch, "the map does not fit: " + std::to_string(map.far_objects) + " of " +
                                                    std::to_string(map.objects) +
                                                    " objects are more than 10 m from any lane");
}

class TraceWithMap final : public Trace {
public:
    TraceWithMap(std::shared_ptr<const Trace> trace, std::shared_ptr<const TraceMap> map)
        : trace_(std::move(trace)), map_(std::move(map))
    {
        for (const auto& channel : trace_->info().channels) frames_.push_back(map_frame(*map_, channel));
    }

    const TraceInfo& info() const noexcept override { return trace_->info(); }
    std::uint64_t frame_count(std::uint32_t channel) const override { return trace_->frame_count(channel); }
    std::uint64_t first_frame(std::uint32_t channel) const override { return trace_->first_frame(channel); }
    std::optional<std::uint64_t> kept_map(std::uint32_t channel, std::uint64_t i, bool with_road) const override
    {
        return trace_->kept_map(channel, i, with_road);
    }
    std::optional<MapBeside> map_beside(std::uint32_t channel) const override
    {
        if (channel >= frames_.size() || !frames_[channel]) return std::nullopt;
        return MapBeside{*frames_[channel], map_->document.name, map_->document.origin == MapOrigin::given};
    }
    Frame frame(std::uint32_t channel, std::uint64_t i) const override { return trace_->frame(channel, i); }
    std::optional<Nanoseconds> frame_time(std::uint32_t channel, std::uint64_t i) const override
    {
        return trace_->frame_time(channel, i);
    }
    std::optional<Nanoseconds> log_time(std::uint32_t channel, std::uint64_t i) const override
    {
        return trace_->log_time(channel, i);
    }
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override
    {
        return trace_->frame_bytes(channel, i);
    }
    FrameSizes frame_sizes(std::uint32_t channel) const override { return trace_->frame_sizes(channel); }
    std::optional<std::uint64_t> record_bytes() const override { return trace_->record_bytes(); }
    std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override
    {
        return trace_->frame_at(channel, t);
    }
    std::optional<TimeBounds> indexed_times(std::uint32_t channel) const override
    {
        return trace_->indexed_times(channel);
    }
    std::vector<TracePlace> places(std::uint64_t apart) const override { return trace_->places(apart); }
    std::unique_ptr<TraceReader> reader() const override { return trace_->reader(); }

private:
    std::shared_ptr<const Trace> trace_;
    std::shared_ptr<const TraceMap> map_;
    std::vector<std::optional<Frame>> frames_;  ///< by channel
};

}  // namespace

std::optional<MapDocument> find_map_document(const Trace& trace, const MapSearch& search)
{
    if (!search.file.empty())
        return MapDocument{MapOrigin::given, search.file.filename().string(),
                           text_of_file(search.file, search.max_bytes)};
    if (auto found = map_in_channel(trace)) return found;
    if (auto found = map_in_attachment(trace, search.max_bytes)) return found;
    const auto& file = trace.info().file;
    if (file.empty() || trace.info().container.map) return std::nullopt;
    const auto reference = std::filesystem::path(first_truth(trace).frame.reference);
    // Only a name: a trace of a stranger does not choose what is read elsewhere.
    if (reference.has_filename() && has_map_name(reference.string())) {
        const auto named = file.parent_path() / reference.filename();
        if (is_file(named))
            return MapDocument{MapOrigin::reference, named.filename().string(), text_of_file(named, search.max_bytes)};
    }
    if (const auto map = map_with_stem(file); !map.empty())
        return MapDocument{MapOrigin::stem, map.filename().string(), text_of_file(map, search.max_bytes)};
    return std::nullopt;
}

std::optional<MapOffset> map_placement(const MapFrame& trace, const GroundTruthMap& map)
{
    if (!trace.offset || !map.offset || *trace.offset == *map.offset ||
        !is_same_projection(trace.projection, map.geo_reference))
        return std::nullopt;
    const auto &osi = *trace.offset, &odr = *map.offset;
    const double x = odr.x - osi.x, y = odr.y - osi.y;
    const double sine = std::sin(-osi.yaw), cosine = std::cos(-osi.yaw);
    return MapOffset{cosine * x - sine * y, sine * x + cosine * y, odr.z - osi.z,
                     std::remainder(odr.yaw - osi.yaw, 2 * 3.14159265358979323846)};
}

bool is_same_projection(std::string_view a, std::string_view b)
{
    if (a == b) return !a.empty();
    const auto of_a = projection(a), of_b = projection(b);
    if (!of_a.contains("proj") || !of_b.contains("proj")) return false;
    return std::ranges::all_of(of_a, [&](const auto& parameter) {
        const auto other = of_b.find(parameter.first);
        return other == of_b.end() || is_same_value(parameter.second, other->second);
    });
}

std::shared_ptr<const TraceMap> map_of(const Trace& trace, const MapSearch& search)
{
    auto document = find_map_document(trace, search);
    if (!document) return nullptr;
    const auto truth = first_truth(trace);
    auto result = std::make_shared<TraceMap>();
    try {
        MapOptions options;
        options.first_id = first_map_id;
        options.states_version = false;
        options.max_message_bytes = search.max_bytes;
        options.reference = document->name;
        result->map = read_open_drive(document->xml, options);
        result->placement = map_placement(truth.frame, result->map);
        if (result->placement) {
            options.placement = result->placement;
            result->map = read_open_drive(document->xml, options);
        }
    } catch (const Error& error) {
        throw error.within({.file = document->name});
    }
    result->objects = truth.objects.size();
    result->far_objects = far_from(result->map, truth.objects);
    result->document = std::move(*document);
    result->notes = result->map.notes;
    note_placement(*result, truth.frame);
    for (auto& note : result->notes) note = note.within({.file = result->document.name});
    return result;
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

std::shared_ptr<const Trace> with_map(std::shared_ptr<const Trace> trace, std::shared_ptr<const TraceMap> map)
{
    return map ? std::make_shared<TraceWithMap>(std::move(trace), std::move(map)) : trace;
}

}  // namespace ositrace
