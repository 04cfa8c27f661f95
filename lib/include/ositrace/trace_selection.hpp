// SPDX-License-Identifier: MPL-2.0
// Which part of a trace is selected: `--time A:B`, `--frames A:B`, `--topic REGEX`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

class Trace;

/// Times `[from, to)`; a missing bound is open.
struct TimeSpan {
    std::optional<Nanoseconds> from;
    std::optional<Nanoseconds> to;
    [[nodiscard]] bool contains(Nanoseconds time) const noexcept
    {
        return (!from || time >= *from) && (!to || time < *to);
    }
};

/// The first and the last OSI time of a trace, over all channels that have times.
struct TimeExtent {
    std::optional<Nanoseconds> start;
    std::optional<Nanoseconds> end;
    std::optional<Nanoseconds> step;  ///< see median_step()
};

/// From the first and the last frame of every channel: valid where times do not go backward. Cost: see
/// Trace::frame_count().
[[nodiscard]] OSITRACE_API TimeExtent time_extent(const Trace& trace);

/// The median time between two frames, of the channel that has the shortest; empty without two times. Cost: reads the
/// time of every frame.
[[nodiscard]] OSITRACE_API std::optional<Nanoseconds> median_step(const Trace& trace);

/// The distance before a bound of a range within which the time of a frame counts as equal to the bound.
struct TimeTolerance {
    std::optional<Nanoseconds> fixed;  ///< empty: half the median step of the trace
    /// `0.001` seconds, or `half-step`. Throws Error (usage).
    [[nodiscard]] static OSITRACE_API TimeTolerance parse(std::string_view text);
};
/// A time as people type it: `3.5` seconds, `90s`, `1m`, `2h`, `5ms`, `10us`, `1ns`, `1:00`, `1:02:03.5`. Exact, never
/// negative; nullopt for anything else.
[[nodiscard]] OSITRACE_API std::optional<Nanoseconds> parse_duration(std::string_view text) noexcept;

/// A range of OSI times as a user writes it, before the trace is known: `3.5:10` seconds of OSI time, `+3:` from the
/// start of the trace, `-5:` from its end, `2021-08-18T15:05:42Z:` calendar time; either bound may be missing. The
/// second bound is excluded. Two dots separate the bounds, too, and must where a time has a colon: `1:00..1:30`.
class OSITRACE_API TimeRange {
public:
    /// Throws Error (usage).
    [[nodiscard]] static TimeRange parse(std::string_view text);
    /// These OSI times, which may be negative.
    [[nodiscard]] static TimeRange of(const TimeSpan& span) noexcept;
    /// Without a tolerance the bounds are exact.
    void set_tolerance(const TimeTolerance& tolerance) noexcept { tolerance_ = tolerance; }

    /// What resolve() requires of the trace.
    [[nodiscard]] bool needs_start() const noexcept { return has(Origin::start); }
    [[nodiscard]] bool needs_end() const noexcept { return has(Origin::end); }
    [[nodiscard]] bool needs_step() const noexcept { return tolerance_ && !tolerance_->fixed; }
    /// Requires the trace up to its end.
    [[nodiscard]] bool needs_all() const noexcept { return needs_end() || needs_step(); }
    [[nodiscard]] bool needs_zero_time() const noexcept { return has(Origin::calendar); }
    /// `zero_time`: see zero_time_of(). Throws Error (usage) when a required value is missing or a sum exceeds int64.
    [[nodiscard]] TimeSpan resolve(const TimeExtent& extent, std::optional<Nanoseconds> zero_time = {}) const;

private:
    enum class Origin : std::uint8_t { zero, start, end, calendar };
    struct Point {
        Origin origin = Origin::zero;
        Nanoseconds offset{};
    };
    static std::optional<Point> parse_point(std::string_view text);
    [[nodiscard]] bool has(Origin origin) const noexcept
    {
        return (from_ && from_->origin == origin) || (to_ && to_->origin == origin);
    }

    std::optional<Point> from_;
    std::optional<Point> to_;
    std::optional<TimeTolerance> tolerance_;
};

/// Frame numbers `[from, to)` (Frame::index: from 0, over all channels).
struct OSITRACE_API FrameRange {
    std::uint64_t from = 0;
    std::uint64_t to = UINT64_MAX;  ///< UINT64_MAX: open
    /// `10:20`, `10:`, `:20`. Throws Error (usage).
    [[nodiscard]] static FrameRange parse(std::string_view text);
    [[nodiscard]] bool contains(std::uint64_t frame) const noexcept { return frame >= from && frame < to; }
    friend bool operator==(const FrameRange&, const FrameRange&) = default;
};

/// A regular expression (ECMAScript) that is searched in topics. Cheap to copy.
class OSITRACE_API TopicPattern {
public:
    /// Throws Error (usage).
    explicit TopicPattern(std::string text);
    /// Throws Error (limit) for a topic of more than 4096 bytes.
    [[nodiscard]] bool matches(std::string_view topic) const;
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    struct Compiled;
    std::string text_;
    std::shared_ptr<const Compiled> compiled_;
};

/// The channels whose topics match, renumbered from 0; frames keep their numbers. Keeps `trace` alive. Throws Error
/// (usage) that lists the topics when none matches.
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> select_topics(std::shared_ptr<const Trace> trace,
                                                                      const TopicPattern& topics);

}  // namespace ositrace
