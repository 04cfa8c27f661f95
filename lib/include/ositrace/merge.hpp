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
    /// Topics of channels, old to new; the new ones are taken by no other channel.
    std::map<std::string, std::string> topics;
    /// Channels without which the stream is wanted; empty: all are wanted. Asked once for each, with the topic that it
    /// came with.
    std::function<bool(const Channel&)> wants = {};
    /// May change a metadata record before it is told in info().
    std::function<void(MetadataRecord&)> edit_metadata = {};
};

/// The channels of all sources side by side, their frames by time (log time, else OSI time; a frame without either
/// stands behind the one in front of it; of equal times the earlier source comes first). Frames keep their numbers and
/// places.
///
/// A trace without topics of its own gets them from its file name (or the type, where it is alone or its name says
/// nothing), and the versions that the name states where the payloads do not. Topics are unique: a second `lidar`
/// becomes `lidar_2`. The profile of MCAP files is that of the first that has one. Reads the first frame of every
/// source. Throws Error (usage) where no channel has a topic that is to be renamed (from read() where one could still
/// come, in a stream of MCAP), and, also from read(), where two channels would have one topic.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> merge(std::vector<std::unique_ptr<FrameSource>> sources,
                                                              MergeOptions options = {});

}  // namespace ositrace
