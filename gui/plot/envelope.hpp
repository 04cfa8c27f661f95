// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace ositrace::gui {

/// The least and the greatest of some values; empty without a finite one.
struct ValueRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    [[nodiscard]] bool is_empty() const noexcept { return !(least <= most); }
    /// Values that are not finite do not count.
    void add(double value) noexcept;
    void add(const ValueRange& other) noexcept;
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// The range of any part of a long list of values in a few steps: ranges of 16 values, of 64, 256 ... of them.
class Envelope {
public:
    Envelope() = default;
    explicit Envelope(std::span<const double> values);
    /// Of values[from, to); `values` are those of the constructor.
    [[nodiscard]] ValueRange of(std::span<const double> values, std::size_t from, std::size_t to) const noexcept;

private:
    std::vector<std::vector<ValueRange>> levels_;
};

}  // namespace ositrace::gui
