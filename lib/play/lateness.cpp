// SPDX-License-Identifier: MPL-2.0
#include "lib/play/lateness.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ositrace {

/// Values below 2^(fine_bits + 1) have a bucket each; above, a bucket is named by the exponent and the bits behind the
/// leading one.
std::size_t LatenessCounter::bucket_of(std::uint64_t value) noexcept
{
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - fine_bits - 1);
    return (static_cast<std::size_t>(shift) << fine_bits) + static_cast<std::size_t>(value >> shift);
}

std::uint64_t LatenessCounter::upper_end(std::size_t bucket) noexcept
{
    constexpr std::size_t fine = std::size_t{1} << fine_bits;
    const auto shift = bucket < 2 * fine ? 0 : bucket / fine - 1;
    return ((bucket - shift * fine + 1) << shift) - 1;
}

void LatenessCounter::add(Nanoseconds late) noexcept
{
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(0, late.count()));
    ++counts_[bucket_of(value)];
    ++count_;
    sum_ += static_cast<double>(value);
    max_ = std::max(max_, value);
}

Nanoseconds LatenessCounter::quantile(double share) const noexcept
{
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    std::uint64_t passed = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        passed += counts_[bucket];
        if (passed >= wanted) return Nanoseconds(static_cast<std::int64_t>(std::min(upper_end(bucket), max_)));
    }
    return Nanoseconds(static_cast<std::int64_t>(max_));
}

Lateness LatenessCounter::lateness() const noexcept
{
    if (count_ == 0) return {};
    const auto mean = static_cast<std::int64_t>(sum_ / static_cast<double>(count_));
    return {Nanoseconds(mean), quantile(0.5), quantile(0.99), Nanoseconds(static_cast<std::int64_t>(max_))};
}

}  // namespace ositrace
