// SPDX-License-Identifier: MPL-2.0
// ASAM OpenDRIVE maps (1.4 to 1.8) as the static part of an OSI GroundTruth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/export.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// Where the inertial coordinates of a map (or of OSI's frame) are in those of its projection: turned by `yaw` radians,
/// then moved by x, y and z metres.
struct MapOffset {
    double x = 0, y = 0, z = 0, yaw = 0;
    friend bool operator==(const MapOffset&, const MapOffset&) = default;
};

struct MapOptions {
    /// How far a polyline may be from its curve in the plane, in metres, above 0; OSI allows 5 cm.
    double max_deviation = default_map_deviation;
    std::uint64_t first_id = 1;               ///< of the identifiers, which are counted from here
    std::optional<MapOffset> placement = {};  ///< turns and moves the map
    bool states_version = true;               ///< and the time 0; a part of another message states neither
    std::string reference = {};               ///< map_reference of the GroundTruth; empty: none
    /// Of the message. Throws Error (limit) beyond it.
    std::size_t max_message_bytes = default_max_message_bytes;
};

/// A map that was read.
struct GroundTruthMap {
    std::shared_ptr<const ByteBuffer> message;  ///< an osi3.GroundTruth at time 0, in Protobuf
    std::string geo_reference;                  ///< PROJ string or WKT; empty: none
    std::optional<MapOffset> offset;            ///< the header's `offset`
    std::size_t roads = 0, lanes = 0, intersections = 0;
    std::uint64_t left_out = 0;  ///< elements that cannot be read
    /// What is left out, not read or strange, in this order: the first of each kind, and how many more there are.
    std::vector<Error> notes;
};

/// Reads an OpenDRIVE document. The lanes, boundaries, signs, lights, markings and objects have the coordinates of the
/// document: the header's `offset` becomes `proj_frame_offset` and is not applied. Takes time and memory linear in the
/// length of all lines. An element that cannot be read, such as a road or a signal, is left out, with a note that names
/// its line. Throws Error (malformed, limit) that names the line and the element where the XML or the header cannot be
/// read, or no road at all.
[[nodiscard]] OSITRACE_API GroundTruthMap read_open_drive(std::string_view xml, const MapOptions& options = {});

}  // namespace ositrace
