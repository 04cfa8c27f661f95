// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// A trace whose first time does not lie behind the last time of those in front of it.
struct BackwardJoint {
    std::filesystem::path file;
    Nanoseconds starts{};
    std::filesystem::path previous_file;
    Nanoseconds previous_end{};
};

/// A channel that is of the same stream as one in front of it, and has another schema or other metadata.
struct OwnChannel {
    std::filesystem::path file;
    std::string topic;       ///< there
    std::string own_topic;   ///< in the output
    std::string difference;  ///< `OSI 3.8.0, not 3.7.0`, `another schema`
};

struct ConcatOptions {
    /// Shift the times of each trace so that it begins one step behind the end of the one in front of it; the step is
    /// the last one there.
    bool retime = false;
    std::function<void(const BackwardJoint&)> on_backward = {};
    /// The output has several channels: one that differs in its schema or metadata becomes a channel of its own, so
    /// that both stay true.
    bool own_channels = false;
    std::function<void(const OwnChannel&)> on_own_channel = {};
    /// The profile of an MCAP file, where it is another than that of the output, the first.
    std::function<void(const std::filesystem::path& file, const std::string& profile)> on_other_profile = {};
};

/// Traces one behind the other. Traces of one OSI channel continue each other, whatever their topics; else channels
/// continue that of their topic, and a topic that is new is a new channel. With ConcatOptions::own_channels these
/// continue only what has the same schema and channel metadata. Metadata and attachments of all are there, equal ones
/// once. Frames are numbered anew. Files are opened when their turn comes, the first at once; regular files are looked
/// into at the start. Throws Error (mismatch) when a channel continues another of another type or encoding, Error
/// (usage) when --retime knows no step.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> concat(const std::vector<std::filesystem::path>& files,
                                                               const OpenOptions& open, ConcatOptions options);

}  // namespace ositrace
