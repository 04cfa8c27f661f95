// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <span>

#include <ositrace/bytes.hpp>

namespace ositrace::bench {

/// A digest of what a variant made, in the form that all variants of a round have in common. Two variants that were
/// given the same task must give the same answer, or the run fails.
class Answer {
public:
    void add(Bytes bytes) { add(bytes, bytes); }
    /// The same message as it is, and what variants that keep less make of it.
    void add(Bytes exact, Bytes coarse);
    void add_coarse(Bytes coarse);
    /// Numbers count twice: as they are, and rounded to float for variants that keep no more.
    void add(std::span<const double> numbers);
    void add_coarse(std::span<const float> numbers);
    /// Changes what is added next by one bit: how the comparison itself is tested.
    void spoil() noexcept { spoiled_ = true; }

    [[nodiscard]] bool same_as(const Answer& other) const noexcept
    {
        return exact_ == other.exact_ && same_coarse(other);
    }
    /// Up to what a variant that keeps less can know: the precision of a float, the presence of zeros.
    [[nodiscard]] bool same_coarse(const Answer& other) const noexcept
    {
        return coarse_ == other.coarse_ && size_ == other.size_;
    }

private:
    void mix(std::uint64_t& digest, std::uint64_t word) noexcept;
    void mix(std::uint64_t& digest, Bytes bytes) noexcept;

    std::uint64_t exact_ = 1469598103934665603;
    std::uint64_t coarse_ = 1469598103934665603;
    std::uint64_t size_ = 0;  ///< coarse bytes and numbers added
    bool spoiled_ = false;
};

}  // namespace ositrace::bench
