// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>

#include <ositrace/player.hpp>

namespace ositrace {

/// Counts how late frames come, in constant memory: quantiles are right to 1 %, mean and maximum exact.
class LatenessCounter {
public:
    /// Frames that come early (none should) count as on time.
    void add(Nanoseconds late) noexcept;
    [[nodiscard]] Lateness lateness() const noexcept;
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    // Buckets as wide as 1/128 of their values.
    static constexpr int fine_bits = 7;
    static constexpr std::size_t buckets = (64 - fine_bits + 1) << fine_bits;
    static std::size_t bucket_of(std::uint64_t value) noexcept;
    static std::uint64_t upper_end(std::size_t bucket) noexcept;
    [[nodiscard]] Nanoseconds quantile(double share) const noexcept;

    std::array<std::uint64_t, buckets> counts_{};
    std::uint64_t count_ = 0;
    double sum_ = 0;
    std::uint64_t max_ = 0;
};

}  // namespace ositrace
