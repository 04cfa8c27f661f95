// SPDX-License-Identifier: MPL-2.0
// The checks of the frames of one channel.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>

#include "formats/transcode/payload_reader.hpp"
#include "lib/check/content_check.hpp"
#include "lib/check/findings.hpp"
#include "lib/check/map_check.hpp"
#include "lib/trace/time_steps.hpp"

namespace ositrace {

/// Checks the timestamps of one channel: order, gaps and rate.
class TimeCheck {
public:
    explicit TimeCheck(Findings& findings) : findings_(findings) {}
    /// Frames with a time, in playback order.
    void add(const FindingPlace& place);
    /// Call once, at the end: reports the last gaps, which depend on later steps.
    void finish();

private:
    void check_rate(Nanoseconds step, const FindingPlace& place);
    void add_gap(const TimeStep& gap, Nanoseconds usual);

    /// This many equal steps in a row are a frame rate; fewer can be gaps.
    static constexpr std::size_t steps_of_a_rate = GapFinder::steps_on_a_side + 1;

    Findings& findings_;
    std::optional<Nanoseconds> last_;
    std::string_view channel_;
    GapFinder gaps_;
    std::optional<Nanoseconds> rate_step_;
    Nanoseconds run_step_{};  ///< first step of the current run of equal steps
    FindingPlace run_place_;  ///< where the run begins
    std::size_t run_ = 0;     ///< length of the run
};

/// Sorts the times of frames by log time, the playback order of MCAP, because messages may be in any order in the file.
/// Memory: `max_waiting` frames; a frame that is more than that out of order in its channel is skipped.
class TimesInOrder {
public:
    static constexpr std::size_t max_waiting = std::size_t{1} << 18;

    /// Borrows `check`, and what `place` borrows, until finish().
    void add(Nanoseconds log_time, const FindingPlace& place, TimeCheck& check);
    /// Passes on all waiting times.
    void finish();

private:
    struct WaitingTime {
        Nanoseconds log_time;
        std::uint64_t number;  ///< in file order
        FindingPlace place;
        TimeCheck* check;
    };
    struct IsLater {
        bool operator()(const WaitingTime& a, const WaitingTime& b) const noexcept;
    };
    void pass_on_first();

    std::priority_queue<WaitingTime, std::vector<WaitingTime>, IsLater> waiting_;
    std::map<TimeCheck*, Nanoseconds> last_;  ///< last log time that was passed on
    std::uint64_t frames_ = 0;
};

/// What the checks of all channels of the same type share: a file may have 65 535 channels.
struct TypeCheck {
    TypeCheck(const Channel& channel, const RuleSet* rules, bool is_map);

    std::shared_ptr<const Schema> schema;
    ContentPlan plan;
    PayloadReader reader;
    ByteBuffer scratch;
};
class TypeChecks {
public:
    /// Borrows `rules`.
    explicit TypeChecks(const RuleSet* rules) : rules_(rules) {}
    /// Of a channel whose root is known; all of one container.
    [[nodiscard]] TypeCheck& of(const Channel& channel, bool is_map);

private:
    const RuleSet* rules_;
    std::map<std::tuple<const MessageTable*, Encoding, Layout>, TypeCheck> checks_;
};

/// Checks the frames of one channel, in file order.
class ChannelCheck {
public:
    /// Of channel `index` of `info`. Borrows all, and `times` must be finished first.
    ChannelCheck(const TraceInfo& info, std::size_t index, bool name_channel, TypeChecks& types, TimesInOrder& times,
                 MapCheck& map, Findings& findings);
    ChannelCheck(const ChannelCheck&) = delete;  // the findings point into it
    ChannelCheck& operator=(const ChannelCheck&) = delete;

    /// false: the message is of another type than its channel, so its content is not checked.
    bool check(const Frame& frame);
    void finish();

    [[nodiscard]] const Channel& channel() const noexcept { return info_.channels[index_]; }
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
    [[nodiscard]] const std::set<OsiVersion>& osi_versions() const noexcept { return versions_; }

private:
    bool has_other_type(const Frame& frame);
    void check_readable(const Frame& frame);
    void check_time(const Frame& frame);
    void check_container_times(const Frame& frame);
    void check_version(const Frame& frame);
    void add_unreadable(const Error& error);

    /// A bound for hostile files.
    static constexpr std::size_t max_versions = 100;

    const TraceInfo& info_;  ///< its channels may move
    std::size_t index_;
    std::string topic_;  ///< empty if the file has only one channel
    Findings& findings_;
    TypeCheck* type_;  ///< null: the type is not known
    std::optional<ContentCheck> content_;
    TimeCheck times_;
    TimesInOrder& times_in_order_;
    MapCheck& map_;
    FindingPlace place_;
    std::set<OsiVersion> versions_;
    std::optional<OsiVersion> last_version_;
    std::uint64_t frames_ = 0;
};

}  // namespace ositrace
