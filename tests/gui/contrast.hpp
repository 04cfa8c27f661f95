// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace ositrace::test {

/// The contrast of two colours by WCAG 2, from 1 to 21; red, green and blue from 0 to 1.
template <class Colour>
double contrast(const Colour& a, const Colour& b)
{
    const auto luminance = [](const Colour& colour) {
        const auto linear = [&](std::size_t i) {
            const auto c = static_cast<double>(colour[i]);
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
    };
    const auto [less, more] = std::minmax({luminance(a), luminance(b)});
    return (more + 0.05) / (less + 0.05);
}

}  // namespace ositrace::test
