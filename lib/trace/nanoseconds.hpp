// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <ositrace/frame.hpp>

namespace ositrace {

/// to - from; the nearest limit of int64 on overflow.
[[nodiscard]] inline Nanoseconds distance(Nanoseconds from, Nanoseconds to) noexcept
{
    std::int64_t result = 0;
    if (!__builtin_sub_overflow(to.count(), from.count(), &result)) return Nanoseconds(result);
    return to > from ? Nanoseconds::max() : Nanoseconds::min();
}

/// In seconds, exact, without trailing zeros: `0.1`, `-2.000000001`
[[nodiscard]] inline std::string exact_seconds(Nanoseconds time)
{
    constexpr std::uint64_t second = 1'000'000'000;
    const bool negative = time.count() < 0;
    const auto count =
        negative ? ~static_cast<std::uint64_t>(time.count()) + 1 : static_cast<std::uint64_t>(time.count());
    auto decimals = std::to_string(second + count % second).substr(1);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    return (negative ? "-" : "") + std::to_string(count / second) + (decimals.empty() ? "" : "." + decimals);
}

/// The same with its unit: `0.1 s`
[[nodiscard]] inline std::string exact_seconds_text(Nanoseconds time) { return exact_seconds(time) + " s"; }

}  // namespace ositrace
