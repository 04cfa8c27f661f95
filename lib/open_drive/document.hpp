// SPDX-License-Identifier: MPL-2.0
// An OpenDRIVE document (1.4 to 1.8) as it is read: what OSI needs of it, with the names of the standard. Units:
// metres, radians, 1/m. The s of every record is that of the road, also where the document counts from the lane
// section.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/open_drive.hpp>

#include "lib/open_drive/cubic.hpp"
#include "lib/open_drive/lane_kinds.hpp"
#include "lib/open_drive/note_list.hpp"
#include "lib/open_drive/plan_view.hpp"

namespace ositrace::open_drive {

/// `line` of a road mark: parallel to the lane's border.
struct MarkLine {
    double t_offset = 0;
    double width = 0;
    double length = 0, space = 0;  ///< of dashes and gaps; a space of 0: solid
    double s_offset = 0;           ///< where the first dash begins, from the start of the mark
};

/// Which lane changes a road mark allows.
enum class LaneChange : std::uint8_t { by_lines, none, increase, decrease, both };

struct RoadMark {
    double s = 0;
    const MarkKind* kind = nullptr;
    std::string_view color;  ///< as in OSI
    double width = 0, height = 0;
    LaneChange lane_change = LaneChange::by_lines;
    std::vector<MarkLine> lines;  ///< from right to left; never empty for a mark that is drawn
};

struct LaneHeight {
    double s = 0;
    double inner = 0, outer = 0;
};

struct SpeedLimit {
    double s = 0;
    double value = 0;       ///< negative: no limit
    std::string_view unit;  ///< as in OSI
};

enum class LaneDirection : std::uint8_t { standard, reversed, both };

struct Lane {
    int id = 0;  ///< ascending from right to left; 0 is the centre lane, which has no width
    const LaneKind* kind = nullptr;
    bool level = false;
    LaneDirection direction = LaneDirection::standard;
    std::vector<int> predecessors, successors;
    Profile width;
    Profile border;               ///< used where there is no width
    std::vector<RoadMark> marks;  ///< of its outer border
    std::vector<LaneHeight> heights;
    std::vector<SpeedLimit> speeds;
};

struct LaneSection {
    double s = 0, end = 0;
    double written_s = 0;  ///< of the laneSection element, where a long section was cut
    /// From left to right, without the centre lane.
    std::vector<std::shared_ptr<const Lane>> lanes;
    std::shared_ptr<const Lane> center;
    std::size_t left_count = 0;  ///< of lanes left of the centre lane

    [[nodiscard]] std::optional<std::size_t> find(int id) const noexcept
    {
        for (std::size_t i = 0; i < lanes.size(); ++i)
            if (lanes[i]->id == id) return i;
        return std::nullopt;
    }
};

/// One station of a lateral profile: heights over t.
struct Shape {
    double s = 0;
    Profile heights;  ///< its `s` is t
};

struct Crossfall {
    Profile left, right;  ///< radians; positive: the road falls to its outer side
};

enum class RoadEnd : std::uint8_t { start, end };

struct RoadLink {
    bool to_junction = false;
    std::string id;
    std::optional<RoadEnd> contact;
};

struct RoadType {
    double s = 0;
    std::string_view type;  ///< as in OSI
    std::string country;
    std::optional<SpeedLimit> speed;
};

/// `validity`: an inclusive range of lane ids.
struct Validity {
    int from = 0, to = 0;
};

enum class Facing : std::uint8_t { along, against, both };

/// Where a feature of a road is.
struct RoadPlace {
    double s = 0, t = 0, z_offset = 0;
    double heading = 0, pitch = 0, roll = 0;  ///< relative to the road
    Facing facing = Facing::along;
};

struct Signal {
    std::string id, name;
    RoadPlace place;
    bool dynamic = false;
    std::string country, country_revision, type, subtype, unit, text;
    std::optional<double> value = {};
    double width = 0, height = 0;
    std::vector<Validity> validities = {};
};

/// A signal that is valid on another road as well.
struct SignalReference {
    std::string id;
    double s = 0;
    Facing facing = Facing::along;
    std::vector<Validity> validities = {};
};

/// A corner of an outline: (s, t) of the road, or (u, v) of the object.
struct Corner {
    double x = 0, y = 0, z = 0;
    double height = 0;
};

struct Outline {
    bool on_road = false;
    std::vector<Corner> corners;
};

struct Repeat {
    double s = 0, length = 0, distance = 0;
    struct Range {
        double start = 0, end = 0;
    };
    Range t, width, height, z_offset, object_length, radius;
    bool has_width = false, has_height = false, has_length = false, has_radius = false;
};

struct Object {
    std::string id, name, type, subtype;
    RoadPlace place;
    double length = 0, width = 0, height = 0, radius = 0;
    std::vector<Outline> outlines = {};
    std::vector<Repeat> repeats = {};
    std::vector<Validity> validities = {};
};

struct Road {
    std::string id, name, junction;  ///< an empty junction: none
    double length = 0;
    bool left_hand_traffic = false;
    std::optional<RoadLink> predecessor, successor;
    std::vector<RoadType> types;
    std::vector<Geometry> plan_view;
    std::size_t gaps = 0;      ///< of plan_view: places where the next geometry does not start at the end of one
    double largest_gap = 0;    ///< metres
    double largest_gap_s = 0;  ///< where it is
    Profile elevation, superelevation, lane_offset;
    Crossfall crossfall;
    std::vector<Shape> shapes;
    std::vector<LaneSection> sections;
    std::vector<Signal> signals;
    std::vector<SignalReference> signal_references;
    std::vector<Object> objects;
};

struct Connection {
    std::string incoming_road, connecting_road;
    bool direct = false;               ///< the connecting road is the linked road of a direct junction
    RoadEnd contact = RoadEnd::start;  ///< of the connecting road
    std::vector<std::pair<int, int>> lanes;
};

struct Junction {
    std::string id, name;
    std::vector<Connection> connections;
};

struct Document {
    std::string revision;   ///< of the header: `1.8`; empty: not stated
    bool is_newer = false;  ///< than 1.8
    std::string geo_reference;
    std::optional<MapOffset> offset;  ///< of the header
    std::vector<Road> roads;
    std::map<std::string, std::size_t, std::less<>> road_by_id;
    std::vector<Junction> junctions;
    NoteList left_out;  ///< elements that cannot be read
    NoteList doubts;    ///< elements that are read and strange
    std::uint64_t unknown_elements = 0;
    std::string first_unknown;  ///< `line 7: <parcel>`
};

}  // namespace ositrace::open_drive
