// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/lanes.hpp"

#include <algorithm>
#include <array>

#include "lib/picture/candidates.hpp"
#include "lib/picture/lane_surface.hpp"
#include "lib/picture/looks.hpp"

namespace ositrace::picture {

namespace {

constexpr EdgeStyle logical_style{Look::logical_lane, 1.2F, 0.02F};

/// The lines that a field of ids names. Counted where no boundary has that id.
std::vector<Line> lines_in(LayerBuilder& to, const MessageView& lane, std::string_view field,
                           const BoundaryLines& lines)
{
    constexpr std::size_t most = 1000;
    std::vector<Line> found;
    const auto* const row = repeated_messages(lane.table(), field);
    if (row == nullptr) return found;
    lane.for_each_element(*row, [&](const Value& value) {
        const auto line =
            lines.find(static_cast<std::uint64_t>(integer_in(std::get<MessageView>(value), "value").value_or(0)));
        if (line.empty())
            to.notes().leave_out("lane edge", "whose boundary is not in the frame");
        else
            found.push_back(line);
        to.look();
        return found.size() < most && to.has_room();
    });
    return found;
}

Point centre_of(const LaneSides& sides) noexcept
{
    if (!sides.centre.empty()) return sides.centre[sides.centre.size() / 2];
    const auto middle = [](const std::vector<Line>& lines) { return lines.front()[lines.front().size() / 2]; };
    if (sides.left.empty() || sides.right.empty()) return middle(sides.left.empty() ? sides.right : sides.left);
    const auto left = middle(sides.left), right = middle(sides.right);
    return {(left[0] + right[0]) / 2, (left[1] + right[1]) / 2, (left[2] + right[2]) / 2};
}

bool is_empty(const LaneSides& sides) noexcept
{
    return sides.left.empty() && sides.right.empty() && sides.centre.size() < 2;
}

/// `driving`, or what is said more exactly: `sidewalk`.
std::string lane_type(const MessageView& classification)
{
    auto subtype = words_in(classification, "subtype");
    if (!subtype.empty() && subtype != "unknown" && subtype != "other" && subtype != "normal") return subtype + " lane";
    auto type = words_in(classification, "type");
    if (type == "intersection") return type;
    return type.empty() ? "lane" : type + " lane";
}

LaneSides sides_of(LayerBuilder& to, const MessageView& classification, LineReader& reader, const BoundaryLines& lines)
{
    LaneSides sides;
    sides.left = lines_in(to, classification, "left_lane_boundary_id", lines);
    sides.right = lines_in(to, classification, "right_lane_boundary_id", lines);
    for (const auto& point : reader.read(classification, "centerline", to.placement(), to.notes()))
        sides.centre.push_back(point.at);
    // The edges of an intersection: their inside is where its other edges are.
    const auto free = lines_in(to, classification, "free_lane_boundary_id", lines);
    for (std::size_t i = 0; i < free.size(); ++i) (i % 2 == 0 ? sides.left : sides.right).push_back(free[i]);
    return sides;
}

void add_lane(LayerBuilder& to, const MessageView& classification, LineReader& reader, const BoundaryLines& lines,
              Category category, ThingId id, std::string path, bool is_host_lane)
{
    const auto sides = sides_of(to, classification, reader, lines);
    if (is_empty(sides))
        return to.notes().leave_out(category == Category::lane ? "lane" : "detected lane",
                                    "without a boundary or a centre line");
    const auto look = is_host_lane ? Look::lane_host : look_of_lane(integer_in(classification, "type"));
    to.add(category, id, look, std::move(path), lane_type(classification)).centre = centre_of(sides);
    add_lane_edges(to, sides, {.look = look});
    add_centreline(to, sides.centre, integer_in(classification, "centerline_is_driving_direction").value_or(0) != 0);
}

}  // namespace

void add_lanes(LayerBuilder& to, const MessageView& parent, std::string_view field, LineReader& reader,
               const BoundaryLines& lines, const HostLanes& host)
{
    constexpr std::string_view what = "lane";
    for_each_element(to, parent, field, what, [&](const MessageView& lane, std::size_t place) {
        const auto classification = message_in(lane, "classification");
        if (!classification) return to.notes().leave_out(what, "without a boundary or a centre line");
        const auto id = thing_id_in(lane, place);
        const bool is_host_lane = host.as_lanes_say
                                      ? integer_in(*classification, "is_host_vehicle_lane").value_or(0) != 0
                                      : std::ranges::find(host.ids, id.number) != host.ids.end();
        add_lane(to, *classification, reader, lines, Category::lane, id, to.path(field, place), is_host_lane);
    });
}

void add_detected_lanes(LayerBuilder& to, const MessageView& sensor_data, LineReader& reader,
                        const BoundaryLines& lines)
{
    constexpr std::string_view what = "detected lane", field = "lane";
    for_each_element(to, sensor_data, field, what, [&](const MessageView& lane, std::size_t place) {
        const auto classification = message_in(most_probable_candidate(lane), "classification");
        if (!classification) return to.notes().leave_out(what, "without a boundary or a centre line");
        const bool is_host_lane = integer_in(*classification, "is_host_vehicle_lane").value_or(0) != 0;
        add_lane(to, *classification, reader, lines, Category::detected_lane, tracking_id_of(lane, place),
                 to.path(field, place), is_host_lane);
    });
}

void add_logical_lanes(LayerBuilder& to, const MessageView& parent, std::string_view field, const BoundaryLines& lines)
{
    constexpr std::string_view what = "logical lane";
    for_each_element(to, parent, field, what, [&](const MessageView& lane, std::size_t place) {
        LaneSides sides;
        sides.left = lines_in(to, lane, "left_boundary_id", lines);
        sides.right = lines_in(to, lane, "right_boundary_id", lines);
        if (is_empty(sides)) return to.notes().leave_out(what, "without a boundary");
        auto type = words_in(lane, "type");
        to.add(Category::logical_lane, thing_id_in(lane, place), Look::logical_lane, to.path(field, place),
               type.empty() ? std::string(what) : "logical " + type + " lane")
            .centre = centre_of(sides);
        add_lane_edges(to, sides, logical_style);
    });
}

}  // namespace ositrace::picture
