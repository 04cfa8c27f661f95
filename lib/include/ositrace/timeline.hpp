// SPDX-License-Identifier: MPL-2.0
// Which trace time it is now, and when a trace time is due: pure arithmetic, no clock is read.
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// Trace times from `from` up to, not including, `to`.
struct TimeSection {
    Nanoseconds from{};
    Nanoseconds to{};
    friend bool operator==(const TimeSection&, const TimeSection&) = default;
};

/// A trace time in one of the iterations of a loop.
struct Moment {
    std::uint64_t round = 0;  ///< from 0
    Nanoseconds time{};
    friend auto operator<=>(const Moment&, const Moment&) = default;
};

/// The line between a clock and a trace: the player pushes frames along it, the viewer pulls its position from it.
/// Clock times are nanoseconds of any monotonic clock, passed by the caller. A change of rate, a pause or a seek begins
/// a new line at `now`; in between deadlines are absolute, so that nothing drifts. A value; not thread-safe to change.
class OSITRACE_API Timeline {
public:
    static constexpr double min_rate = 0.1;
    static constexpr double max_rate = 100;
    static constexpr std::uint64_t max_rounds = std::uint64_t{1} << 62;

    /// Starts paused at the beginning of the section. `rounds`: number of iterations, 0 = for ever.
    /// Throws Error (usage) when the section is empty, or when there are more iterations than max_rounds.
    explicit Timeline(TimeSection section, std::uint64_t rounds = 1);

    /// Trace seconds per second, 1.0 = real time. Throws Error (usage) unless min_rate <= rate <= max_rate.
    void set_rate(Nanoseconds now, double rate);
    void pause(Nanoseconds now);
    void resume(Nanoseconds now);
    /// Goes to a time of the present iteration; times outside the section go to its ends.
    void seek(Nanoseconds now, Nanoseconds time);
    /// Goes to a moment of any iteration, even before or after the section.
    void seek(Nanoseconds now, Moment moment);
    /// Another section: the position is kept where it lies inside, else it goes to the nearer end. Throws Error (usage)
    /// when it is empty.
    void set_section(Nanoseconds now, TimeSection section);

    /// The trace time now; after the last iteration, the end of the section.
    [[nodiscard]] Moment at(Nanoseconds now) const noexcept;
    /// All iterations have been played.
    [[nodiscard]] bool finished(Nanoseconds now) const noexcept;
    /// The clock time at which a moment comes, or came; nullopt while paused and when it is beyond what the clock can
    /// count.
    [[nodiscard]] std::optional<Nanoseconds> due(Moment moment) const noexcept;

    [[nodiscard]] double rate() const noexcept { return rate_; }
    [[nodiscard]] bool paused() const noexcept { return paused_; }
    [[nodiscard]] const TimeSection& section() const noexcept { return section_; }
    [[nodiscard]] std::uint64_t rounds() const noexcept { return rounds_; }

private:
    __extension__ using Wide = __int128;  // iterations times section
    [[nodiscard]] Wide length() const noexcept { return Wide{section_.to.count()} - section_.from.count(); }
    [[nodiscard]] Wide played(Nanoseconds now) const noexcept;
    void begin_line(Nanoseconds now) noexcept;

    TimeSection section_;
    std::uint64_t rounds_;
    double rate_ = 1;
    bool paused_ = true;
    Nanoseconds line_start_{};  ///< clock time
    Wide line_played_ = 0;      ///< trace nanoseconds played at line_start_, over all rounds
};

}  // namespace ositrace
