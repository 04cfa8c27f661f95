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

/// A trace that begins before the end of the previous ones.
struct BackwardJoint {
    std::filesystem::path file;
    Nanoseconds starts{};
    std::filesystem::path previous_file;
    Nanoseconds previous_end{};
    std::filesystem::path before;  ///< the previous file that it belongs before; empty: it overlaps one
};

/// A channel with the topic of an earlier channel, but another schema or other metadata.
struct OwnChannel {
    std::filesystem::path file;
    std::string topic;       ///< in `file`
    std::string own_topic;   ///< in the output
    std::string difference;  ///< `OSI 3.8.0, not 3.7.0`, `another schema`
};

struct ConcatOptions {
    /// Shift the times of each trace so that it begins one time step after the end of the previous one, by the last
    /// step of that.
    bool retime = false;
    /// Called at the end of such a trace.
    std::function<void(const BackwardJoint&)> on_backward = {};
    /// For an output with several channels: a channel with another schema or other metadata becomes a channel of its
    /// own.
    bool own_channels = false;
    std::function<void(const OwnChannel&)> on_own_channel = {};
    /// Called if the profile of an MCAP file differs from that of the first file, which the output gets.
    std::function<void(const std::filesystem::path& file, const std::string& profile)> on_other_profile = {};
    /// Called for each message that is left out: the first one of a map channel in a file, as cut and split add it, if
    /// it is equal to the last one before it.
    std::function<void(const std::string& topic)> on_equal_map = {};
};

/// The files in the order of their times, if each is a regular file with times and none begins before the one before it
/// has ended; else as given. Costs the first frame of each file if they are in order, else the index of each file and
/// the last frame. Throws Error of open_trace().
[[nodiscard]] OSITRACE_API std::vector<std::filesystem::path> in_order_of_time(
    const std::vector<std::filesystem::path>& files, const OpenOptions& open);

/// The pieces of a split in the order of their numbers, if all names are those of one split and sorted: then nobody has
/// chosen the order, and a name begins with the number of frames. Else nullopt.
[[nodiscard]] OSITRACE_API std::optional<std::vector<std::filesystem::path>> in_order_of_number(
    const std::vector<std::filesystem::path>& files);

/// Concatenates traces. If all have one OSI channel, each continues the previous one, whatever the topics; else a
/// channel continues the channel with its topic, and a new topic is a new channel. With ConcatOptions::own_channels a
/// channel continues only one with the same schema and metadata. The output has the metadata and attachments of all
/// traces, equal ones once, and new frame numbers. The first file is opened at once, others when they are read; all
/// regular files are checked at the start. Throws Error (mismatch) if a channel would continue one of another type or
/// encoding, or `retime` cannot determine the step.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> concat(const std::vector<std::filesystem::path>& files,
                                                               const OpenOptions& open, ConcatOptions options);

}  // namespace ositrace
