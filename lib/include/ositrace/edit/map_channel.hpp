// SPDX-License-Identifier: MPL-2.0
// A map as a channel of a trace. See docs/maps.md.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <ositrace/error.hpp>
#include <ositrace/export.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

namespace ositrace {

struct MapChannelOptions {
    std::size_t max_message_bytes = default_max_message_bytes;
    /// Called for each note of reading, placing and fitting the map (see TraceMap); may be null.
    std::function<void(const Error&)> on_note = {};
};

/// The same frames, and a channel `/ground_truth_map` with a map as the omega-prime profile has it: one message
/// osi3.MapAsamOpenDrive before the first frame that has a ground truth, else at the end, with the time of the first
/// frame. Its map_reference is that of the ground truth, else the name of the document. Throws Error: unsupported (the
/// document is not UTF-8), mismatch (there is a map channel). read() also throws Error (malformed, limit) for a
/// document that read_open_drive() does not read.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> with_map_channel(std::unique_ptr<FrameSource> from,
                                                                         MapDocument document,
                                                                         const MapChannelOptions& options = {});

}  // namespace ositrace
