// SPDX-License-Identifier: MPL-2.0
// Functions of s in OpenDRIVE: cubic polynomials, each valid from its s to that of the next one.
#pragma once

#include <algorithm>
#include <vector>

namespace ositrace::open_drive {

/// a + b ds + c ds^2 + d ds^3 with ds = s - `s`.
struct Cubic {
    double s = 0;
    double a = 0, b = 0, c = 0, d = 0;

    [[nodiscard]] double value(double at) const noexcept
    {
        const double ds = at - s;
        return a + ds * (b + ds * (c + ds * d));
    }
    [[nodiscard]] double slope(double at) const noexcept
    {
        const double ds = at - s;
        return b + ds * (2 * c + ds * 3 * d);
    }
};

/// A place along a road: s, and a place beside it that decides which record is valid where one ends and the next begins
/// at s. So a function that jumps has both its values there.
struct Station {
    double s = 0;
    double inside = 0;
};

/// The last element whose `s` is at most `s`; null before the first. Elements ascend.
template <class Record>
[[nodiscard]] const Record* record_at(const std::vector<Record>& records, double s) noexcept
{
    const auto after = std::ranges::upper_bound(records, s, {}, &Record::s);
    return after == records.begin() ? nullptr : &*std::prev(after);
}

/// Cubics one after the other. Zero where there is none.
struct Profile {
    std::vector<Cubic> pieces;  ///< ascending

    [[nodiscard]] double value(Station at) const noexcept
    {
        const auto* const piece = record_at(pieces, at.inside);
        return piece == nullptr ? 0 : piece->value(at.s);
    }
    [[nodiscard]] double slope(Station at) const noexcept
    {
        const auto* const piece = record_at(pieces, at.inside);
        return piece == nullptr ? 0 : piece->slope(at.s);
    }
};

}  // namespace ositrace::open_drive
