// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/envelope.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::gui {

namespace {

constexpr std::size_t values_in_first = 16;
constexpr std::size_t ranges_in_next = 4;

}  // namespace

void ValueRange::add(double value) noexcept
{
    if (!std::isfinite(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
}

void ValueRange::add(const ValueRange& other) noexcept
{
    least = std::min(least, other.least);
    most = std::max(most, other.most);
}

Envelope::Envelope(std::span<const double> values)
{
    if (values.size() < values_in_first) return;
    auto& first = levels_.emplace_back((values.size() + values_in_first - 1) / values_in_first);
    for (std::size_t i = 0; i != values.size(); ++i) first[i / values_in_first].add(values[i]);
    while (levels_.back().size() > ranges_in_next) {
        const auto& below = levels_.back();
        std::vector<ValueRange> next((below.size() + ranges_in_next - 1) / ranges_in_next);
        for (std::size_t i = 0; i != below.size(); ++i) next[i / ranges_in_next].add(below[i]);
        levels_.push_back(std::move(next));
    }
}

ValueRange Envelope::of(std::span<const double> values, std::size_t from, std::size_t to) const noexcept
{
    ValueRange range;
    to = std::min(to, values.size());
    if (from >= to) return range;
    // Up the levels while both ends are inside, then down again: at each level what the next one does not cover.
    std::size_t unit = values_in_first;
    if (levels_.empty() || (from + unit - 1) / unit >= to / unit) {
        for (auto i = from; i != to; ++i) range.add(values[i]);
        return range;
    }
    auto begin = (from + unit - 1) / unit, end = to / unit;
    for (auto i = from; i != begin * unit; ++i) range.add(values[i]);
    for (auto i = end * unit; i != to; ++i) range.add(values[i]);
    for (std::size_t level = 0; begin < end; ++level) {
        const auto& ranges = levels_[level];
        if (level + 1 == levels_.size()) {
            for (; begin != end; ++begin) range.add(ranges[begin]);
            break;
        }
        for (; begin < end && begin % ranges_in_next != 0; ++begin) range.add(ranges[begin]);
        for (; begin < end && end % ranges_in_next != 0; --end) range.add(ranges[end - 1]);
        begin /= ranges_in_next;
        end /= ranges_in_next;
    }
    return range;
}

}  // namespace ositrace::gui
