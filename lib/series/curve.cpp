// SPDX-License-Identifier: MPL-2.0
#include <ositrace/curve.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace ositrace {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// Of several NaN in a row the first one says all.
void add_sample(Curve& curve, Nanoseconds time, double value)
{
    if (std::isnan(value) && (curve.values.empty() || std::isnan(curve.values.back()))) return;
    curve.times.push_back(time);
    curve.values.push_back(value);
}

/// Seconds; the difference of two times may not fit in Nanoseconds.
double seconds_between(Nanoseconds from, Nanoseconds to) noexcept
{
    constexpr double per_second = 1e9;
    return static_cast<double>(static_cast<std::uint64_t>(to.count()) - static_cast<std::uint64_t>(from.count())) /
           per_second;
}

/// The value of `function` of the values of all curves, at every time of any of them.
template <class Function>
Curve combined(std::span<const Curve* const> curves, const Function& function)
{
    Curve result;
    auto begin = Nanoseconds::min();
    auto end = Nanoseconds::max();
    for (const auto* const each : curves) {
        if (each->times.empty()) return result;
        begin = std::max(begin, each->times.front());
        end = std::min(end, each->times.back());
    }
    std::vector<std::size_t> next(curves.size());
    std::vector<double> values(curves.size(), no_value);
    for (;;) {
        auto time = Nanoseconds::max();
        bool has_more = false;
        for (std::size_t i = 0; i != curves.size(); ++i) {
            if (next[i] == curves[i]->times.size()) continue;
            time = std::min(time, curves[i]->times[next[i]]);
            has_more = true;
        }
        if (!has_more || time > end) return result;
        bool has_all = true;
        for (std::size_t i = 0; i != curves.size(); ++i) {
            const auto& curve = *curves[i];
            for (auto& at = next[i]; at != curve.times.size() && curve.times[at] == time; ++at)
                values[i] = curve.values[at];
            has_all = has_all && !std::isnan(values[i]);
        }
        if (time >= begin) add_sample(result, time, has_all ? function(values) : no_value);
    }
}

}  // namespace

std::optional<double> value_at(const Curve& curve, Nanoseconds t) noexcept
{
    const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), t);
    if (after == curve.times.begin()) return std::nullopt;
    const auto value = curve.values[static_cast<std::size_t>(after - curve.times.begin()) - 1];
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

Curve difference(const Curve& a, const Curve& b)
{
    const Curve* const both[] = {&a, &b};
    return combined(both, [](const std::vector<double>& values) { return values[0] - values[1]; });
}

Curve derivative(const Curve& curve)
{
    Curve result;
    const auto& times = curve.times;
    const auto& values = curve.values;
    const auto has_value = [&](std::size_t i) { return i < values.size() && !std::isnan(values[i]); };
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (!has_value(i)) {
            add_sample(result, times[i], no_value);
            continue;
        }
        const auto before = i != 0 && has_value(i - 1) ? i - 1 : i;
        const auto after = has_value(i + 1) ? i + 1 : i;
        const auto seconds = seconds_between(times[before], times[after]);
        add_sample(result, times[i], seconds > 0 ? (values[after] - values[before]) / seconds : no_value);
    }
    return result;
}

Curve norm(std::span<const Curve* const> components)
{
    return combined(components, [](const std::vector<double>& values) {
        double largest = 0;
        for (const auto each : values) largest = std::max(largest, std::abs(each));
        if (largest == 0 || std::isinf(largest)) return largest;
        double sum = 0;  // of scaled squares, which do not overflow
        for (const auto each : values) sum += (each / largest) * (each / largest);
        return largest * std::sqrt(sum);
    });
}

Curve distance(std::span<const Curve* const> a, std::span<const Curve* const> b)
{
    std::vector<Curve> differences;
    std::vector<const Curve*> components;
    for (std::size_t i = 0; i != std::min(a.size(), b.size()); ++i) differences.push_back(difference(*a[i], *b[i]));
    for (const auto& each : differences) components.push_back(&each);
    return norm(components);
}

Curve unwrap(const Curve& angle)
{
    auto result = angle;
    constexpr double turn = 2 * std::numbers::pi;
    double last = no_value;
    for (auto& value : result.values) {
        if (!std::isfinite(value)) continue;
        if (std::isfinite(last)) value -= turn * std::round((value - last) / turn);
        last = value;
    }
    return result;
}

}  // namespace ositrace
