// SPDX-License-Identifier: MPL-2.0
// The summary of a trace that `osiconvert info` prints.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Which frames have the static part of the ground truth: lanes, boundaries, logical lanes, reference lines, road
/// markings, signs, stationary objects. Where only the first frame has it, a cut from the middle loses it.
/// `at_least_first_frame`: only sampled frames were read, and of those only the first has it.
enum class StaticPattern : std::uint8_t { none, first_frame, some_frames, every_frame, at_least_first_frame };

/// `none`, `first frame only`, `some frames`, `every frame`, `at least in the first frame`
[[nodiscard]] OSITRACE_API std::string_view name_of(StaticPattern pattern) noexcept;

/// A pair of consecutive frames whose times are further apart than 1.5 times the usual step: the median of the 17
/// around it.
struct TimeGap {
    std::uint64_t frame = 0;  ///< the one after the gap
    Nanoseconds from{};
    Nanoseconds to{};
    friend bool operator==(const TimeGap&, const TimeGap&) = default;
};

/// Statistics of the times of a channel; known when every time was read.
struct TimeSteps {
    static constexpr std::size_t max_listed_gaps = 100;
    std::uint64_t gaps = 0;
    std::vector<TimeGap> listed_gaps;  ///< the first of them
    std::uint64_t repeated = 0;        ///< frames with the time of the frame before
    std::uint64_t backward = 0;        ///< frames with an earlier time than the frame before
    std::uint64_t frames_without_time = 0;
    Nanoseconds shortest{};  ///< between consecutive frames with a time
    Nanoseconds longest{};
};

struct ChannelSummary {
    Channel channel;
    std::uint64_t frames = 0;
    FrameSizes sizes;            ///< of all frames
    bool sizes_sampled = false;  ///< the index has no sizes: `sizes` are those of the sampled frames
    /// All members below come from the first, the middle and the last frame; with SummaryOptions::times, start, end,
    /// step, rate and steps come from all frames.
    bool sampled = true;
    std::vector<OsiVersion> osi_versions;  ///< of the messages and of the ground truth in them, each once, ascending
    /// A frame is earlier than one before it: there is no rate, and where sampled no start, end and step.
    bool times_go_back = false;
    /// Where a message that was read has no timestamp: the field that has its time, such as
    /// `global_ground_truth.timestamp`, or that it has the log time of the container. Of the first such message.
    std::string time_field;
    bool log_times = false;
    std::optional<Nanoseconds> start;  ///< the earliest time
    std::optional<Nanoseconds> end;    ///< the latest time
    std::optional<Nanoseconds> step;   ///< sampled: the mean; else the median
    std::optional<double> rate_hz;     ///< frames per second from start to end
    std::optional<TimeSteps> steps;    ///< unless only sampled frames were read
    StaticPattern static_data = StaticPattern::none;
    /// Positions, velocities, accelerations or orientations of moving objects lack components, and none of them is an
    /// explicit 0: the writer omits what is 0.
    bool omits_zeros = false;
    std::uint64_t unreadable_frames = 0;          ///< that are damaged in the fields that were read
    std::optional<std::string> first_unreadable;  ///< why
    std::uint64_t other_type_frames = 0;          ///< of another type than that of the channel; only their size counts
    /// `run.osi: frame 20 at byte 1921963: fits SensorView, not GroundTruth`
    std::optional<std::string> first_other_type;
};

struct TraceSummary {
    TraceInfo info;
    std::optional<std::uint64_t> file_bytes;    ///< empty for a pipe
    std::optional<std::uint64_t> record_bytes;  ///< as Trace::record_bytes()
    std::vector<ChannelSummary> channels;
    std::optional<std::string>
        damage;  ///< why the trace ends before its file does; the frames before it are summarised
};

struct SummaryOptions {
    bool full = false;   ///< read every frame
    bool times = false;  ///< read the time of every frame (of large frames the first bytes): start to steps are exact
    /// Called after every frame that is read.
    std::function<void(std::uint64_t frames, std::uint64_t of_frames)> on_progress = {};
};

/// Cost: the index (see Trace::frame_count()) and three frames per channel, or with `full` every frame; memory does not
/// depend on the length of the trace. Throws Error (io, cancelled).
[[nodiscard]] OSITRACE_API TraceSummary summarize(const Trace& trace, const SummaryOptions& options = {},
                                                  std::stop_token stop = {});

}  // namespace ositrace
