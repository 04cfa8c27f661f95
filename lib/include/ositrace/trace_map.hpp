// SPDX-License-Identifier: MPL-2.0
// The map of a trace that is not in its messages: where it is found, and how it is placed. See docs/maps.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/lane_frame.hpp>
#include <ositrace/open_drive.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Where a map was found, in the order of the search.
enum class MapOrigin : std::uint8_t {
    given,       ///< by the user
    channel,     ///< a message osi3.MapAsamOpenDrive (omega-prime)
    attachment,  ///< of an MCAP file
    reference,   ///< the file that GroundTruth::map_reference names
    stem,        ///< the file beside the trace that has its name: `drive.osi`, `drive.xodr`
};

/// An OpenDRIVE document.
struct MapDocument {
    MapOrigin origin = MapOrigin::given;
    std::string name;  ///< of the file or attachment, or the topic
    std::string xml;
    std::string reference =
        {};  ///< what map_reference of a ground truth is to be: a file name, or as the channel has it
    std::filesystem::path file = {};  ///< as it was given or found; of a channel or an attachment: of the trace
    std::vector<Error> notes = {};    ///< other maps of the trace, which are not used

    /// What errors begin with.
    [[nodiscard]] std::filesystem::path place() const { return file.empty() ? std::filesystem::path(name) : file; }
    [[nodiscard]] bool is_in_trace() const noexcept
    {
        return origin == MapOrigin::channel || origin == MapOrigin::attachment;
    }
};

struct MapSearch {
    std::filesystem::path file = {};  ///< empty: the map is searched for
    std::size_t max_bytes = default_max_message_bytes;
    double max_deviation = default_map_deviation;  ///< see MapOptions
};

/// Does a channel have the map of the omega-prime profile? By the type of its messages, `osi3.MapAsamOpenDrive` or
/// without its package; by its topic only without a type.
[[nodiscard]] OSITRACE_API bool is_map_channel(const Channel& channel) noexcept;

/// The document in a file that the user chose. Throws Error (io, missing, limit).
[[nodiscard]] OSITRACE_API MapDocument map_document(const std::filesystem::path& file,
                                                    std::size_t max_bytes = default_max_message_bytes);

/// The document of a trace; empty where there is none. Throws Error (io, missing, limit, malformed).
[[nodiscard]] OSITRACE_API std::optional<MapDocument> find_map_document(const Trace& trace,
                                                                        const MapSearch& search = {});

/// What a GroundTruth says about where its map is.
struct MapFrame {
    std::string reference, projection;  ///< map_reference, proj_string
    std::optional<MapOffset> offset;    ///< proj_frame_offset
};

/// How a map is moved into the frame of a trace: turned, then moved. Identity (empty), as origin and orientation of a
/// map are those of the ground truth; only where both have an offset, the two differ and the projection is the same, it
/// is offset_OSI^-1 * offset_ODR.
[[nodiscard]] OSITRACE_API std::optional<MapOffset> map_placement(const MapFrame& trace, const GroundTruthMap& map);

/// Does a map fit a ground truth with so many moving objects? Not if more than half of them are more than 10 m from any
/// lane: some may be on ground that the map does not have.
[[nodiscard]] constexpr bool map_fits(std::size_t objects, std::size_t far_objects) noexcept
{
    return far_objects <= objects - far_objects;
}

/// A map in the frame of a trace.
struct TraceMap {
    MapDocument document;
    GroundTruthMap map;                      ///< placed; its identifiers begin with 10^12
    std::optional<MapOffset> placement;      ///< empty: none was needed
    std::shared_ptr<const LaneFrame> lanes;  ///< of `map`
    std::size_t objects = 0;                 ///< moving objects of the first frame
    std::size_t far_objects = 0;             ///< those more than 10 m from any lane; 0 where the map has none
    std::vector<Error> notes;                ///< of finding, reading, placing and fitting

    [[nodiscard]] bool fits() const noexcept { return map.lanes != 0 && map_fits(objects, far_objects); }
};

/// Finds, reads and places the map of a trace; null where there is none. Reads the first frame of the channels that can
/// have a map. Throws Error (io, missing, limit, malformed) naming the map.
[[nodiscard]] OSITRACE_API std::shared_ptr<const TraceMap> map_of(const Trace& trace, const MapSearch& search = {});

/// The map as a message of a channel of GroundTruth or SensorView, in its encoding; empty for others.
[[nodiscard]] OSITRACE_API std::optional<Frame> map_frame(const TraceMap& map, const Channel& channel);

/// The same trace, with Trace::map_beside().
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> with_map(std::shared_ptr<const Trace> trace,
                                                                 std::shared_ptr<const TraceMap> map);

/// The map as a trace of one GroundTruth.
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> trace_of(const TraceMap& map);

}  // namespace ositrace
