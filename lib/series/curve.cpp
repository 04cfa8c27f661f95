// SPDX-License-Identifier: MPL-2.0
#include <ositrace/curve.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include <ositrace/pair_motion.hpp>

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

double norm_of(std::span<const double> values) noexcept
{
    double largest = 0;
    for (const auto each : values) largest = std::max(largest, std::abs(each));
    if (largest == 0 || std::isinf(largest)) return largest;
    double sum = 0;  // of scaled squares, which do not overflow
    for (const auto each : values) sum += (each / largest) * (each / largest);
    return largest * std::sqrt(sum);
}

/// What is not set of a vector is 0, as long as something is; false: nothing is, or something is NaN.
bool fill_up(std::span<double> components) noexcept
{
    const auto is_set = [](double each) {
        return std::bit_cast<std::uint64_t>(each) != std::bit_cast<std::uint64_t>(Curve::not_set);
    };
    if (std::ranges::none_of(components, is_set)) return false;
    for (auto& each : components)
        if (!is_set(each)) each = 0;
    return std::ranges::none_of(components, [](double each) { return std::isnan(each); });
}

/// The value of `function` of the values of all curves, at every time of any of them at which the first `needed` ones
/// have a value. Others may be null: they have none.
template <class Function>
Curve combined(std::span<const Curve* const> curves, std::size_t needed, const Function& function)
{
    Curve result;
    auto begin = Nanoseconds::min();
    auto end = Nanoseconds::max();
    for (const auto* const each : curves.first(needed)) {
        if (each->times.empty()) return result;
        begin = std::max(begin, each->times.front());
        end = std::min(end, each->times.back());
    }
    std::vector<std::size_t> next(curves.size());
    std::vector<double> values(curves.size(), Curve::not_set);
    for (;;) {
        auto time = Nanoseconds::max();
        bool has_more = false;
        for (std::size_t i = 0; i != curves.size(); ++i) {
            if (curves[i] == nullptr || next[i] == curves[i]->times.size()) continue;
            time = std::min(time, curves[i]->times[next[i]]);
            has_more = true;
        }
        if (!has_more || time > end) return result;
        bool has_all = true;
        for (std::size_t i = 0; i != curves.size(); ++i) {
            const auto* const curve = curves[i];
            if (curve == nullptr) continue;
            for (auto& at = next[i]; at != curve->times.size() && curve->times[at] == time; ++at)
                values[i] = curve->values[at];
            has_all = has_all && (i >= needed || !std::isnan(values[i]));
        }
        if (time >= begin) add_sample(result, time, has_all ? function(values) : no_value);
    }
}

/// The value of `function` of the PairMotion of two objects.
template <class Function>
Curve motion_curve(const ObjectCurves& a, const ObjectCurves& b, const Function& function)
{
    constexpr std::size_t needed = 4;  // the positions
    const std::array<const Curve*, 14> curves{a[0], a[1], b[0], b[1], a[2], a[3], a[4],
                                              a[5], a[6], b[2], b[3], b[4], b[5], b[6]};
    return combined(curves, needed, [&](const std::vector<double>& values) {
        const auto box = [&](std::size_t position, std::size_t rest) {
            const auto of_rest = [&](std::size_t i) {
                const auto value = values[rest + i];
                return std::isnan(value) ? 0 : value;
            };
            return GroundBox{.centre = {values[position], values[position + 1]},
                             .length = of_rest(3),
                             .width = of_rest(4),
                             .yaw = of_rest(0),
                             .velocity = {of_rest(1), of_rest(2)},
                             .acceleration = {}};
        };
        const auto motion = pair_motion(box(0, needed), box(2, needed + 5));
        return motion ? function(*motion) : no_value;
    });
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
    return combined(both, std::size(both), [](const std::vector<double>& values) { return values[0] - values[1]; });
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

Curve norm(std::span<const Curve* const> curves)
{
    return combined(curves, curves.size(), [](const std::vector<double>& values) { return norm_of(values); });
}

Curve length(std::span<const Curve* const> components)
{
    return combined(components, 0, [](std::vector<double> values) {  // a copy
        return fill_up(values) ? norm_of(values) : no_value;
    });
}

Curve distance(std::span<const Curve* const> a, std::span<const Curve* const> b)
{
    std::vector<const Curve*> components(a.begin(), a.end());
    components.insert(components.end(), b.begin(), b.end());
    return combined(components, 0, [size = a.size()](std::vector<double> values) {
        const std::span all(values);
        if (!fill_up(all.first(size)) || !fill_up(all.subspan(size))) return no_value;
        for (std::size_t i = 0; i != size; ++i) values[i] -= values[size + i];
        return norm_of(all.first(size));
    });
}

Curve along(std::span<const Curve* const> vector, std::span<const Curve* const> direction)
{
    std::vector<const Curve*> components(vector.begin(), vector.end());
    components.insert(components.end(), direction.begin(), direction.end());
    return combined(components, 0, [size = vector.size()](std::vector<double> values) {
        const std::span all(values);
        const auto of = all.first(size), to = all.subspan(size);
        if (!fill_up(of) || !fill_up(to)) return no_value;
        const auto length = norm_of(to);
        if (length == 0) return no_value;
        double sum = 0;
        for (std::size_t i = 0; i != size; ++i) sum += of[i] * (to[i] / length);
        return sum;
    });
}

Curve gap(const ObjectCurves& a, const ObjectCurves& b)
{
    return motion_curve(a, b, [](const PairMotion& motion) { return motion.gap; });
}

Curve time_to_collision(const ObjectCurves& a, const ObjectCurves& b)
{
    return motion_curve(a, b, [](const PairMotion& motion) {
        return motion.path ? time_to_collision_of(*motion.path).value_or(no_value) : no_value;
    });
}

Curve time_to_contact(const ObjectCurves& a, const ObjectCurves& b)
{
    return motion_curve(a, b, [](const PairMotion& motion) { return motion.time_to_contact.value_or(no_value); });
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
