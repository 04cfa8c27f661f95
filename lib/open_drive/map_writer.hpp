// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/schema.hpp>

#include "formats/protobuf/named_writer.hpp"
#include "lib/open_drive/document.hpp"
#include "lib/open_drive/network.hpp"
#include "lib/open_drive/section_lines.hpp"
#include "lib/open_drive/vector.hpp"

namespace ositrace::open_drive {

/// The parts of a GroundTruth that a map fills, in the order of their field numbers.
enum class Part : std::uint8_t {
    stationary_object,
    traffic_sign,
    traffic_light,
    road_marking,
    lane_boundary,
    lane,
    reference_line,
    logical_lane_boundary,
    logical_lane,
};
inline constexpr std::size_t part_count = 9;

/// Yaw, pitch and roll as OSI defines them: Rz(yaw) Ry(pitch) Rx(roll).
struct Orientation {
    double roll = 0, pitch = 0, yaw = 0;
};

/// What the functions that write the parts share: the document, its lanes and ids, and the parts so far. Roads in any
/// order add to each part.
class MapWriter {
public:
    /// `schema` and `document` must outlive it. `first_id`: of the ids that are given.
    MapWriter(const Document& document, const Schema& schema, std::uint64_t first_id, std::size_t max_bytes);

    [[nodiscard]] const Document& document() const noexcept { return document_; }
    [[nodiscard]] const Network& network() const noexcept { return network_; }
    [[nodiscard]] std::uint64_t new_id() noexcept { return next_id_++; }
    /// How many points the lines of the map may still have.
    [[nodiscard]] std::size_t& points_left() noexcept { return points_left_; }
    /// Repetitions of objects that are too many.
    [[nodiscard]] NoteList& repeats() noexcept { return repeats_; }
    [[nodiscard]] const NoteList& repeats() const noexcept { return repeats_; }

    /// One element of a part: `content(NamedWriter&)` writes its fields. Throws Error (limit) where the map has more
    /// than `max_bytes`.
    template <class Content>
    void add(Part part, const Content& content)
    {
        auto& to = parts_[static_cast<std::size_t>(part)];
        content(begin(part));
        end(part, to);
    }

    [[nodiscard]] Bytes part(Part part) const noexcept { return parts_[static_cast<std::size_t>(part)].bytes(); }

private:
    [[nodiscard]] NamedWriter& begin(Part part);
    void end(Part part, ByteBuffer& to);

    const Document& document_;
    std::uint64_t next_id_;
    Network network_;
    std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::size_t points_left_ = 12'000'000;
    NoteList repeats_;
    std::array<const FieldRow*, part_count> fields_{};
    std::array<ByteBuffer, part_count> parts_;
    ByteBuffer element_;
    NamedWriter writer_;
};

/// A document may declare UTF-8 and have other bytes.
void write_text(NamedWriter& out, FieldName field, std::string_view text);
void write_vector(NamedWriter& out, FieldName field, Vector value);
void write_orientation(NamedWriter& out, FieldName field, Orientation value);
/// Length, width and height.
void write_dimension(NamedWriter& out, FieldName field, Vector value);
/// The type is net.asam.opendrive; the map is that of GroundTruth::map_reference (osi_common.proto).
void write_source(NamedWriter& out, std::initializer_list<std::string_view> identifiers);
/// Road, s of the lane section and lane (osi_lane.proto).
void write_lane_source(NamedWriter& out, const Network& network, const Network::LaneNode& node);

/// Lanes, boundaries, reference line and logical lanes of a road that belongs to no junction.
void write_road(MapWriter& map, std::size_t road, double max_deviation);
/// The same of the connecting roads of a junction, and their lane of TYPE_INTERSECTION.
void write_intersection(MapWriter& map, const Network::Intersection& intersection, double max_deviation);
/// Signals of all roads.
void write_signals(MapWriter& map);
/// Objects of all roads.
void write_objects(MapWriter& map);
/// A country of OpenDRIVE, whose names may have three letters, with two.
[[nodiscard]] std::string_view alpha_2(std::string_view country);

}  // namespace ositrace::open_drive
