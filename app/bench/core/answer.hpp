// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <span>

#include <ositrace/bytes.hpp>

namespace ositrace::bench {

/// A digest of what a variant made, in the form that all variants of a round have in common. Two variants that were given the same task
/// must give the same answer, or the run fails.
class Answer {
public:
    void add(Bytes bytes);
    /// Numbers count twice: as they are, and rounded to float for variants that keep no more.
    void add(std::span<const double> numbers);
    void add_rounded(std::span<const float> numbers);
    /// Changes what is added next by one bit: how the comparison itself is tested.
    void spoil() noexcept { spoiled_ = true; }

    [[nodiscard]] bool same_as(const Answer& other) const noexcept { return exact_ == other.exact_ && same_rounded(other); }
    /// Up to the precision of a float.
    [[nodiscard]] bool same_rounded(const Answer& other) const noexcept { return rounded_ == other.rounded_ && size_ == other.size_; }

private:
    void mix(std::uint64_t& digest, std::uint64_t word) noexcept;

    std::uint64_t exact_ = 1469598103934665603;
    std::uint64_t rounded_ = 1469598103934665603;
    std::uint64_t size_ = 0;  ///< bytes and numbers added
    bool spoiled_ = false;
};

}  // namespace ositrace::bench
