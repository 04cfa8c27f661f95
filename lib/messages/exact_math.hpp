// SPDX-License-Identifier: MPL-2.0
// Elementary functions that use only sums, products, quotients and square roots. IEEE 754 rounds these equally
// everywhere, so a scene has the same bytes on every machine, whatever its mathematical library. Compile with
// -ffp-contract=off.
#pragma once

#include <cstdint>

namespace ositrace::scene {

inline constexpr double pi = 3.14159265358979323846;

struct SineCosine {
    double sine;
    double cosine;
};

/// Error below 4e-16 for |angle| up to 1e6 rad.
[[nodiscard]] SineCosine sine_cosine(double angle) noexcept;
[[nodiscard]] inline double sine(double angle) noexcept { return sine_cosine(angle).sine; }
[[nodiscard]] inline double cosine(double angle) noexcept { return sine_cosine(angle).cosine; }
/// The angle of (x, y) in [-pi, pi]; 0 for (0, 0).
[[nodiscard]] double arctangent(double y, double x) noexcept;
/// The same angle in [-pi, pi).
[[nodiscard]] double wrapped(double angle) noexcept;
/// 10 log10(ratio); `ratio` is a positive normal number.
[[nodiscard]] double decibels(double ratio) noexcept;

/// A number in [0, 1) that depends on its arguments alone.
[[nodiscard]] double uniform(std::uint64_t seed, std::uint64_t what, std::uint64_t index) noexcept;

}  // namespace ositrace::scene
