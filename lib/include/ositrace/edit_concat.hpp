// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
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

struct ConcatOptions {
    /// Shift the times of each trace so that it begins one step behind the end of the one in front of it; the step is the last one there.
    bool retime = false;
    std::function<void(const BackwardJoint&)> on_backward = {};
};

/// Traces one behind the other. Traces of one OSI channel continue each other, whatever their topics; else channels continue that of
/// their topic, and a topic that is new is a new channel. Metadata and attachments of all are there, equal ones once. Frames are
/// numbered anew. Files are opened when their turn comes, the first at once; regular files are looked into at the start.
/// Throws Error (mismatch) when a channel continues another of another type or encoding, Error (usage) when --retime knows no step.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> concat(const std::vector<std::filesystem::path>& files, const OpenOptions& open,
                                                               ConcatOptions options);

}  // namespace ositrace
