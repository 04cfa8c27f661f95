// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/time_scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double least_section = 1000;  // nanoseconds
constexpr std::size_t max_ticks = 1000;
constexpr auto longest_plain_time = std::chrono::hours(24);

double difference(Nanoseconds a, Nanoseconds b) noexcept
{
    return static_cast<double>(static_cast<long double>(a.count()) - static_cast<long double>(b.count()));
}

Nanoseconds moved(Nanoseconds from, double by) noexcept
{
    const auto sum = static_cast<long double>(from.count()) + static_cast<long double>(by);
    const auto least = static_cast<long double>(Nanoseconds::min().count());
    const auto most = static_cast<long double>(Nanoseconds::max().count());
    if (!(sum > least)) return Nanoseconds::min();
    if (sum >= most) return Nanoseconds::max();
    return Nanoseconds(static_cast<std::int64_t>(std::floor(sum)));
}

TimeSection clamped_to(Nanoseconds from, double length, TimeSection limits) noexcept
{
    if (length >= difference(limits.to, limits.from)) return limits;
    from = std::clamp(from, limits.from, moved(limits.to, -length));
    return {from, moved(from, length)};
}

}  // namespace

TimeScale::TimeScale(TimeSection section, double left, double width) noexcept
    : section_(section), left_(left), width_(std::max(width, 1.0))
{
    if (section_.to > section_.from) return;
    if (section_.from == Nanoseconds::max()) section_.from -= Nanoseconds(1);
    section_.to = section_.from + Nanoseconds(1);
}

double TimeScale::length() const noexcept { return difference(section_.to, section_.from); }

double TimeScale::x_of(Nanoseconds time) const noexcept
{
    return left_ + difference(time, section_.from) / length() * width_;
}

Nanoseconds TimeScale::time_at(double x) const noexcept
{
    return std::clamp(moved(section_.from, (x - left_) / width_ * length()), section_.from, section_.to);
}

Nanoseconds TimeScale::tick_step(double least_distance) const noexcept
{
    const auto least = least_distance / width_ * length();
    double step = 1;
    for (int i = 0; step < least && step < 2e18; ++i) step *= i % 3 == 1 ? 2.5 : 2;
    return Nanoseconds(static_cast<std::int64_t>(std::min(std::round(step), 4e18)));
}

std::vector<Nanoseconds> TimeScale::ticks(double least_distance, Nanoseconds origin) const
{
    __extension__ using Wide = __int128;  // the difference of origin and section may exceed int64
    const Wide step = tick_step(least_distance).count();
    const Wide from = Wide{section_.from.count()} - origin.count();
    std::vector<Nanoseconds> ticks;
    for (Wide t = from / step * step; t + origin.count() <= section_.to.count() && ticks.size() < max_ticks; t += step)
        if (t >= from) ticks.emplace_back(static_cast<std::int64_t>(t + origin.count()));
    return ticks;
}

TimeScale TimeScale::zoomed(double factor, double around_x, TimeSection limits) const noexcept
{
    const auto whole = difference(limits.to, limits.from);
    const auto length_now = std::clamp(length() / factor, std::min(least_section, whole), whole);
    const auto part = (around_x - left_) / width_;
    return {clamped_to(moved(time_at(around_x), -part * length_now), length_now, limits), left_, width_};
}

TimeScale TimeScale::panned(double by_x, TimeSection limits) const noexcept
{
    return {clamped_to(moved(section_.from, -by_x / width_ * length()), length(), limits), left_, width_};
}

Nanoseconds ruler_zero(const std::optional<TimeSection>& extent) noexcept
{
    return !extent || extent->from < longest_plain_time ? Nanoseconds(0) : extent->from;
}

QString ruler_text(Nanoseconds tick, Nanoseconds step, Nanoseconds zero)
{
    const auto text = seconds_text(zero == Nanoseconds(0) ? tick : tick - zero, step);
    return zero == Nanoseconds(0) ? text : QLatin1Char('+') + text;
}

}  // namespace ositrace::gui
