// SPDX-License-Identifier: MPL-2.0
// Several traces as one stream.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

struct MergeOptions {
    /// Old topics of channels and their new ones; no other channel may have the new topic.
    std::map<std::string, std::string> topics;
    /// Decides which channels are merged; empty: all. Called once for each channel, with its original topic.
    std::function<bool(const Channel&)> wants = {};
    /// May change a metadata record before it appears in info().
    std::function<void(MetadataRecord&)> edit_metadata = {};
};

/// The channels of all sources, their frames ordered by time (log time, else OSI time; a frame without either follows
/// the frame before it; of equal times the first source comes first). Frames keep their numbers and offsets.
///
/// Where a container states no topics, the topic comes from the file name (from the type, where there is one source or
/// the name says nothing), and so do versions that the payloads do not state. Topics are unique: a second `lidar`
/// becomes `lidar_2`. The MCAP profile is that of the first source that has one. Reads the first frame of every source.
/// Throws Error (usage) where no channel has a topic that is to be renamed (from read() where TraceInfo::may_grow),
/// and, also from read(), where two channels would have the same topic.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> merge(std::vector<std::unique_ptr<FrameSource>> sources,
                                                              MergeOptions options = {});

}  // namespace ositrace
