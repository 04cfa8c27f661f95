// SPDX-License-Identifier: MPL-2.0
// The static part of the ground truth: what a writer may send only once. See docs/static-data.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// A static field that a frame lacked and was given, from the last frame before it that had it.
struct CarriedField {
    std::string path;  ///< `global_ground_truth.lane`
    std::uint64_t elements = 0;
    std::uint64_t from_frame = 0;
};

/// What was put into one frame.
struct CarriedPart {
    std::uint32_t channel = 0;  ///< of the source
    std::uint64_t frame = 0;    ///< of the source
    std::vector<CarriedField>
        fields;  ///< empty: the whole frame, the only one of its channel, went into the first step
};

/// How many frames an edit left alone and how many it changed; read it when the source has ended.
struct StaticCounts {
    std::uint64_t frames = 0;
    std::uint64_t changed = 0;
    std::uint64_t bytes_before = 0;  ///< of all payloads
    std::uint64_t bytes_after = 0;
};

/// Every frame with the map in it: lanes, boundaries, signs, stationary objects, markings, and proj_string,
/// map_reference and proj_frame_offset, which place them. Those that it lacks come from the last frame that had them.
/// `counts` must outlive it.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> expand_static(std::unique_ptr<FrameSource> from,
                                                                      StaticCounts& counts);

/// The same fields only in frames where they change: one that is byte for byte as it was is left out, and nothing else
/// is. expand_static() puts it back: byte for byte for canonical Protobuf in which a field of the map that was there
/// once stays there. The other way round it undoes expand_static() wherever no frame repeats such a field, so of
/// everything that it wrote itself.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> compact_static(std::unique_ptr<FrameSource> from,
                                                                       StaticCounts& counts);

}  // namespace ositrace
