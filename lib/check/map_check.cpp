// SPDX-License-Identifier: MPL-2.0
#include "lib/check/map_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <ositrace/count_text.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/error.hpp>

#include "lib/lanes/cell_grid.hpp"
#include "lib/open_drive/placed_map.hpp"
#include "lib/open_drive/projection.hpp"
#include "lib/trace/ground_truths.hpp"
#include "lib/trace/view_fields.hpp"

namespace ositrace {

namespace {

/// Two lines that each follow a curve within the 5 cm of OSI, and rounding in files.
constexpr double most_apart = 0.2;  // metres
constexpr double reach = LaneFrame::reach;

/// To the millimetre.
std::string metres(double value)
{
    char text[400];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 3).ptr};
}

/// A point of a boundary line.
TruthPlace place_in(const MessageView& point) { return truth_place(child_in(point, "position")); }

bool has_lanes(const Frame& frame, const Channel& channel)
{
    const auto fields = map_fields(frame.bytes, channel);
    return std::ranges::any_of(fields,
                               [](std::string_view field) { return field == "lane" || field == "logical_lane"; });
}

struct Segment {
    TruthPlace from, to;

    [[nodiscard]] TruthPlace at(double part) const noexcept
    {
        const double low = from.z.value_or(0), high = to.z.value_or(0);
        return {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y), low + part * (high - low)};
    }
};

/// In the plane; infinite where the place is out of reach in height.
double distance(const TruthPlace& p, const Segment& line) noexcept
{
    const auto& a = line.from;
    const double dx = line.to.x - a.x, dy = line.to.y - a.y, square = dx * dx + dy * dy;
    const double part = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
    const auto nearest = line.at(part);
    if (p.z && std::abs(*p.z - *nearest.z) > reach) return std::numeric_limits<double>::infinity();
    return std::hypot(p.x - nearest.x, p.y - nearest.y);
}

}  // namespace

/// The boundaries of the lanes of a map, and the borders without a mark.
class MapCheck::Lines {
public:
    explicit Lines(const MessageView& ground_truth)
    {
        std::vector<Segment> whole;
        double length = 0;
        for (const auto* const kind : {"lane_boundary", "logical_lane_boundary"})
            for_each_child(ground_truth, kind, [&](const MessageView& boundary) {
                std::optional<TruthPlace> last;
                for_each_child(boundary, "boundary_line", [&](const MessageView& point) {
                    const auto next = place_in(point);
                    whole.push_back({last.value_or(next), next});
                    length += std::hypot(next.x - whole.back().from.x, next.y - whole.back().from.y);
                    last = next;
                });
            });
        const double cell = lanes::CellGrid::piece_length(length, whole.size());
        grid_ = lanes::CellGrid(cell);
        for (const auto& line : whole) {
            const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
            const double parts = std::max(1.0, std::ceil(std::hypot(dx, dy) / cell));
            for (double i = 0; i < parts; ++i) {
                const Segment piece{line.at(i / parts), line.at((i + 1) / parts)};
                lanes::Box box;
                box.add(piece.from.x, piece.from.y);
                box.add(piece.to.x, piece.to.y);
                box.widen(reach);
                grid_.add(box, static_cast<std::uint32_t>(segments_.size()));
                segments_.push_back(piece);
            }
        }
        grid_.close();
    }

    /// From the nearest line; infinite beyond reach.
    [[nodiscard]] double distance_of(const TruthPlace& p) const
    {
        double least = std::numeric_limits<double>::infinity();
        grid_.visit(p.x, p.y, [&](std::uint32_t item) { least = std::min(least, distance(p, segments_[item])); });
        return least <= reach ? least : std::numeric_limits<double>::infinity();
    }

private:
    std::vector<Segment> segments_;
    lanes::CellGrid grid_{1};
};

MapCheck::MapCheck(const std::filesystem::path& file, const CheckOptions& options, Findings& findings)
    : file_(file),
      options_(options),
      findings_(findings),
      is_wanted_(std::ranges::any_of(
          std::array{Kind::map_readable, Kind::map_found, Kind::map_fits, Kind::map_projection, Kind::map_lanes},
          [&](Kind kind) { return findings.wanted(kind); }))
{
    if (!options.map.empty()) given_ = map_document(options.map, options.open.max_message_bytes);
}
MapCheck::~MapCheck() = default;

std::optional<MapDocument> MapCheck::search(const MapFrame& frame, const TraceInfo& info) const
{
    if (given_) return given_;
    std::error_code failed;
    if (file_ == "-" || !std::filesystem::is_regular_file(file_, failed)) return std::nullopt;
    if (!info.container.index) return map_document_beside(file_, frame, options_.open.max_message_bytes);
    OpenOptions open;
    open.max_message_bytes = options_.open.max_message_bytes;
    open.skip_bad_frames = true;
    std::shared_ptr<const Trace> trace;
    try {
        trace = open_trace(file_, open);
    } catch (const Error&) {
        return map_document_beside(file_, frame, open.max_message_bytes);  // what is damaged is a finding of its own
    }
    return find_map_document(*trace, {.file = {}, .max_bytes = open.max_message_bytes});
}

/// For the first ground truth.
void MapCheck::find(const Frame& frame, const TraceInfo& info, const Channel& channel, const FindingPlace& place)
{
    const auto truth = first_truth_in(frame, channel);
    if (!truth) return;
    was_searched_ = true;
    try {
        auto document = search(truth->frame, info);
        if (!document) {
            if (has_map_name(truth->frame.reference))
                findings_.add(
                    has_lanes(frame, channel) ? Kind::map_found : Kind::map_readable, place,
                    [&] { return "found no map " + truth->frame.reference + " in or beside the trace"; },
                    [] { return "map_reference"; });
            return;
        }
        map_ = placed_map(*std::move(document), *truth, options_.open.max_message_bytes);
    } catch (const Error& error) {
        return findings_.add(Kind::map_readable, place,
                             [&] { return error.where().file == file_ ? error.reason() : std::string(error.what()); });
    }
    if (map_->map.lanes == 0) {
        findings_.add(Kind::map_readable, place, [&] { return map_->document.name + ": the map has no lanes"; });
        return map_.reset();
    }
    if (const auto count = map_->map.left_out; count != 0)
        findings_.add(Kind::map_readable, place, [&] {
            return map_->document.name + ": " + count_text(count, "element") + ' ' + is_or_are(count) +
                   " left out, the first: " + map_->map.notes.front().reason();
        });
    if (const auto note = projection_note(map_->map, truth->frame))
        findings_.add(note->is_other ? Kind::map_fits : Kind::map_projection, place,
                      [&] { return note->text + " (" + map_->document.name + ")"; });
}

void MapCheck::check(const Frame& frame, const TraceInfo& info, const Channel& channel, const FindingPlace& place)
{
    if (!is_wanted_ || info.container.map || !can_have_map(channel) || (was_searched_ && !map_)) return;
    if (!was_searched_) find(frame, info, channel, place);
    if (!map_) return;
    for_each_ground_truth({frame.bytes, *channel.root, channel.format}, [&](const MessageView& truth) {
        check_objects(truth, place);
        check_lanes(truth, channel, place);
    });
}

void MapCheck::check_objects(const MessageView& ground_truth, const FindingPlace& place)
{
    std::size_t objects = 0, far = 0;
    std::optional<std::uint64_t> first;
    for_each_child(ground_truth, "moving_object", [&](const MessageView& object) {
        const auto position = child_in(child_in(object, "base"), "position");
        if (!position) return;
        ++objects;
        const auto at = truth_place(position);
        if (map_->lanes->reaches(at.x, at.y, at.z)) return;
        ++far;
        if (!first) first = id_in(object, "id");
    });
    if (map_fits(objects, far)) return;
    findings_.add(Kind::map_fits, place, [&] {
        return "found " + std::to_string(far) + " of " + std::to_string(objects) +
               " moving objects (the first has id " + std::to_string(*first) + ") more than 10 m from any lane of " +
               map_->document.name;
    });
}

void MapCheck::check_lanes(const MessageView& ground_truth, const Channel& channel, const FindingPlace& place)
{
    std::size_t hash = 0;
    for_each_child(ground_truth, "lane_boundary", [&](const MessageView& boundary) {
        if (const auto bytes = boundary.wire_bytes())
            hash = hash * 31 + std::hash<std::string_view>()(text_of(*bytes)) + 1;
    });
    if (hash != 0 && hash == known_lanes_) return;
    known_lanes_ = hash;

    std::size_t boundaries = 0, apart = 0, worst = 0;
    double most = 0;
    TruthPlace where;
    for_each_child(ground_truth, "lane_boundary", [&](const MessageView& boundary) {
        if (!lines_)
            lines_ = std::make_unique<const Lines>(
                MessageView(map_->map.message->bytes(), Schema::built_in()->root(MessageType::ground_truth), Format{}));
        bool is_apart = false;
        for_each_child(boundary, "boundary_line", [&](const MessageView& point) {
            const auto at = place_in(point);
            const double found = lines_->distance_of(at);
            if (!(found > most_apart)) return;
            is_apart = true;
            if (found > most) most = found, where = at, worst = boundaries;
        });
        apart += is_apart ? 1 : 0;
        ++boundaries;
    });
    if (apart == 0) return;
    findings_.add(
        Kind::map_lanes, place,
        [&] {
            return "found " + std::to_string(apart) + " of " + std::to_string(boundaries) + " lane boundaries " +
                   (std::isfinite(most) ? "up to " + metres(std::ceil(most * 1000) / 1000) + " m" : "more than 10 m") +
                   " from those of " + map_->document.name + ", expected at most " + metres(most_apart) +
                   " m; the farthest place is (" + metres(where.x) + ", " + metres(where.y) + ")";
        },
        [&] {
            return (channel.type == MessageType::sensor_view ? "global_ground_truth." : "") +
                   std::string("lane_boundary[") + std::to_string(worst) + "]";
        });
}

}  // namespace ositrace
