// SPDX-License-Identifier: MPL-2.0
// Static data of the ground truth, which a writer may send only once. See docs/static-data.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// A static field that was inserted into a frame, from the last frame that had it.
struct CarriedField {
    std::string path;  ///< `global_ground_truth.lane`
    std::uint64_t elements = 0;
    std::uint64_t from_frame = 0;
};

/// The fields that were inserted into one frame.
struct CarriedPart {
    std::uint32_t channel = 0;  ///< of the source
    std::uint64_t frame = 0;    ///< of the source
    std::vector<CarriedField>
        fields;  ///< empty: the whole frame, the only one of its channel, was added to the first step or part
};

/// Statistics of an edit; complete when the source has ended.
struct StaticCounts {
    std::uint64_t frames = 0;
    std::uint64_t changed = 0;
    std::uint64_t bytes_before = 0;  ///< of all payloads
    std::uint64_t bytes_after = 0;
};

/// The fields of the map (lanes, boundaries, signs, stationary objects, markings) that a GroundTruth in the payload
/// has; their names are those of the channel's schema. None for a foreign channel, and where the payload cannot be
/// read.
[[nodiscard]] OSITRACE_API std::vector<std::string_view> map_fields(Bytes payload, const Channel& channel);

/// Inserts the map into every frame: lanes, boundaries, signs, stationary objects, markings, and their placement
/// (proj_string, map_reference, proj_frame_offset). Missing fields are copied from the last frame that had them.
/// `counts` must outlive the result.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> expand_static(std::unique_ptr<FrameSource> from,
                                                                      StaticCounts& counts);

/// Which frames a map is written into.
enum class MapFrames : std::uint8_t {
    first,  ///< of each channel
    every,
};

struct TraceMap;

/// Writes a map that is not in the trace into its messages of GroundTruth and SensorView. Fields that a message has
/// stay. read() throws Error (mismatch) for a message that has a road of its own: lanes of two sources do not refer to
/// each other. `counts` must outlive the result.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> add_map(std::unique_ptr<FrameSource> from,
                                                                std::shared_ptr<const TraceMap> map, MapFrames frames,
                                                                StaticCounts& counts);

/// Removes these fields from frames in which they are byte for byte unchanged. expand_static() restores them: byte for
/// byte for canonical Protobuf in which a field of the map is in all frames after the first that has it.
/// compact_static() is the inverse of expand_static() for traces in which no frame repeats such a field, as in its own
/// output.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> compact_static(std::unique_ptr<FrameSource> from,
                                                                       StaticCounts& counts);

/// Frame number `place` of its channel with the static data that it lacks, of the frames before it or, where these have
/// no road, of the map beside the trace; nullopt if it lacks
/// none, or `is_stopped`, which is asked before each frame that is read, is true. If the frame has all that the first
/// frames of the channel have, only those are read. `on_carry`: see PlayOptions; may be null. Throws Error naming the
/// frame.
[[nodiscard]] OSITRACE_API std::optional<Frame> with_static_data(
    const Trace& trace, const Frame& frame, std::uint64_t place, const std::function<bool()>& is_stopped,
    const std::function<void(const CarriedPart&)>& on_carry = {});

}  // namespace ositrace
