// SPDX-License-Identifier: MPL-2.0
// What a trace is, as `osiconvert info` prints it.
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

/// In which frames the static part of the ground truth stands: lanes, boundaries, logical lanes, reference lines, road
/// markings, signs, stationary objects. A trace that sends it once cannot be cut or entered in the middle without
/// losing it. `at_least_first_frame`: only sampled frames were read, and of those the first has it.
enum class StaticPattern : std::uint8_t { none, first_frame, some_frames, every_frame, at_least_first_frame };

/// `none`, `first frame only`, `some frames`, `every frame`, `at least in the first frame`
[[nodiscard]] OSITRACE_API std::string_view name_of(StaticPattern pattern) noexcept;

/// A pair of consecutive frames whose times are further apart than 1.5 times the usual step: the median of the 17
/// around it.
struct TimeGap {
    std::uint64_t frame = 0;  ///< the one behind the gap
    Nanoseconds from{};
    Nanoseconds to{};
    friend bool operator==(const TimeGap&, const TimeGap&) = default;
};

/// How the times of a channel follow each other; known when every frame was read.
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
    bool sizes_sampled = false;  ///< no index knows them: `sizes` are those of the sampled frames only
    bool sampled = true;         ///< everything below comes from the first, the middle and the last frame, with
                                 ///< SummaryOptions::times but for start, end, step, rate and steps
    std::vector<OsiVersion> osi_versions;  ///< of the messages and of the ground truth in them, each once, ascending
    bool times_go_back = false;  ///< a frame looked at is earlier than one before it: no rate, and where sampled no
                                 ///< start, end and step
    std::optional<Nanoseconds> start;  ///< the earliest time; the log time where messages cannot be looked into
    std::optional<Nanoseconds> end;    ///< the latest time
    std::optional<Nanoseconds> step;   ///< sampled: the mean; else the median
    std::optional<double> rate_hz;     ///< frames per second from start to end
    std::optional<TimeSteps> steps;    ///< unless only sampled frames were read
    StaticPattern static_data = StaticPattern::none;
    std::uint64_t unreadable_frames = 0;          ///< that are broken where they were looked at
    std::optional<std::string> first_unreadable;  ///< why
    std::uint64_t other_type_frames =
        0;  ///< that plainly are of another type than the channel says: of them only the size is counted
    std::optional<std::string>
        first_other_type;  ///< `run.osi: frame 20 at byte 1921963: fits SensorView, not GroundTruth`
};

struct TraceSummary {
    TraceInfo info;
    std::optional<std::uint64_t> file_bytes;    ///< empty for a pipe
    std::optional<std::uint64_t> record_bytes;  ///< as Trace::record_bytes()
    std::vector<ChannelSummary> channels;
    std::optional<std::string>
        damage;  ///< why the trace ends before its file does; what stands before it is summarised
};

struct SummaryOptions {
    bool full = false;  ///< read every frame
    bool times =
        false;  ///< read the time of every frame, of large ones their first bytes only: start to steps are exact
    std::function<void(std::uint64_t frames, std::uint64_t of_frames)> on_progress =
        {};  ///< after every frame that is read
};

/// Cost: the index (see Trace::frame_count) and three frames per channel, or with `full` every frame; memory does not
/// grow with the trace. Throws Error (io, cancelled).
[[nodiscard]] OSITRACE_API TraceSummary summarize(const Trace& trace, const SummaryOptions& options = {},
                                                  std::stop_token stop = {});

}  // namespace ositrace
