// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/value_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ositrace::gui {

namespace {

constexpr std::size_t most_ticks = 200;

/// Keeps a range apart from a single value, as far as doubles go, and finite.
ValueRange usable(ValueRange range) noexcept
{
    if (range.is_empty()) return {-1, 1};
    constexpr double largest = std::numeric_limits<double>::max() / 4;
    range.least = std::clamp(range.least, -largest, largest);
    range.most = std::clamp(range.most, -largest, largest);
    constexpr double least_part = 1e-12;  // of the values: less is noise of their digits
    const auto size = std::max(std::abs(range.least), std::abs(range.most));
    const auto least_span = std::max(size * least_part, std::numeric_limits<double>::min());
    if (range.most - range.least >= least_span) return range;
    const auto middle = range.least / 2 + range.most / 2;
    const auto half = size == 0 ? 1 : std::max(size * 0.05, std::numeric_limits<double>::min());
    return {middle - half, middle + half};
}

}  // namespace

ValueScale::ValueScale(ValueRange range, double begin, double length) noexcept
    : range_(usable(range)), begin_(begin), length_(length == 0 ? 1 : length)
{
}

double ValueScale::tick_step(double least_distance) const noexcept
{
    const auto least = (range_.most - range_.least) * least_distance / std::abs(length_);
    const auto power = std::pow(10, std::floor(std::log10(least)));
    for (const auto factor : {1.0, 2.0, 5.0})
        if (factor * power >= least) return factor * power;
    return 10 * power;
}

std::vector<double> ValueScale::ticks(double least_distance) const
{
    const auto step = tick_step(least_distance);
    std::vector<double> ticks;
    const auto first = std::ceil(range_.least / step);
    for (std::size_t i = 0; i != most_ticks; ++i) {
        const auto tick = (first + static_cast<double>(i)) * step;
        if (!(tick <= range_.most)) break;
        ticks.push_back(tick == 0 ? 0 : tick);  // not -0
    }
    return ticks;
}

ValueRange ValueScale::zoomed(double factor, double around) const noexcept
{
    const auto fixed = value_at(around);
    return usable({fixed - (fixed - range_.least) / factor, fixed + (range_.most - fixed) / factor});
}

ValueRange ValueScale::panned(double by) const noexcept
{
    const auto moved = value_at(begin_) - value_at(begin_ + by);
    return {range_.least + moved, range_.most + moved};
}

}  // namespace ositrace::gui
