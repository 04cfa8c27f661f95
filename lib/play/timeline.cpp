// SPDX-License-Identifier: MPL-2.0
#include <ositrace/timeline.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

void check(const TimeSection& section)
{
    if (section.from >= section.to) throw Error(Cause::usage, "a section to be played must not be empty");
}

}  // namespace

Timeline::Timeline(TimeSection section, std::uint64_t rounds) : section_(section), rounds_(rounds)
{
    check(section);
    if (rounds > max_rounds)
        throw Error(Cause::usage, "a section is played at most " + std::to_string(max_rounds) + " times");
}

void Timeline::set_rate(Nanoseconds now, double rate)
{
    if (!(rate >= min_rate && rate <= max_rate)) throw Error(Cause::usage, "a rate is a number from 0.1 to 100");
    begin_line(now);
    rate_ = rate;
}

void Timeline::pause(Nanoseconds now)
{
    begin_line(now);
    paused_ = true;
}

void Timeline::resume(Nanoseconds now)
{
    begin_line(now);
    paused_ = false;
}

void Timeline::seek(Nanoseconds now, Nanoseconds time)
{
    seek(now, Moment{at(now).round, std::clamp(time, section_.from, section_.to)});
}

void Timeline::seek(Nanoseconds now, Moment moment)
{
    begin_line(now);
    line_played_ = Wide{moment.round} * length() + (Wide{moment.time.count()} - section_.from.count());
}

void Timeline::set_section(Nanoseconds now, TimeSection section)
{
    check(section);
    const auto moment = at(now);
    begin_line(now);
    section_ = section;
    const auto inside = std::clamp(moment.time, section.from, section.to);
    line_played_ = Wide{moment.round} * length() + (Wide{inside.count()} - section.from.count());
}

void Timeline::begin_line(Nanoseconds now) noexcept
{
    line_played_ = played(now);
    line_start_ = now;
}

Timeline::Wide Timeline::played(Nanoseconds now) const noexcept
{
    auto total = line_played_;
    // long double has 64 bits of mantissa: exact to the nanosecond for 292 years at rate 1.
    if (!paused_)
        total += static_cast<Wide>(
            std::floor(static_cast<long double>((now - line_start_).count()) * static_cast<long double>(rate_)));
    return rounds_ == 0 ? total : std::min(total, Wide{rounds_} * length());
}

Moment Timeline::at(Nanoseconds now) const noexcept
{
    const auto total = std::max(played(now), Wide{0});
    auto round = static_cast<std::uint64_t>(total / length());
    auto inside = total % length();
    if (rounds_ != 0 && round == rounds_) {
        round = rounds_ - 1;
        inside = length();
    }
    return {round, Nanoseconds(static_cast<std::int64_t>(section_.from.count() + inside))};
}

bool Timeline::finished(Nanoseconds now) const noexcept
{
    return rounds_ != 0 && played(now) == Wide{rounds_} * length();
}

std::optional<Nanoseconds> Timeline::due(Moment moment) const noexcept
{
    if (paused_) return std::nullopt;
    const auto ahead =
        Wide{moment.round} * length() + (Wide{moment.time.count()} - section_.from.count()) - line_played_;
    const auto clock = std::ceil(static_cast<long double>(ahead) / static_cast<long double>(rate_)) +
                       static_cast<long double>(line_start_.count());
    if (!(std::abs(clock) < static_cast<long double>(std::numeric_limits<std::int64_t>::max()))) return std::nullopt;
    return Nanoseconds(static_cast<std::int64_t>(clock));
}

}  // namespace ositrace
