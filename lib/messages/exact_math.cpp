// SPDX-License-Identifier: MPL-2.0
#include "lib/messages/exact_math.hpp"

#include <bit>
#include <cmath>

namespace ositrace::scene {

namespace {

// Taylor series on [-pi/4, pi/4]: the first term left out is below 1e-17.
double short_sine(double x) noexcept
{
    const double q = x * x;
    return x -
           x * q *
               (1.0 / 6 -
                q * (1.0 / 120 -
                     q * (1.0 / 5040 - q * (1.0 / 362880 - q * (1.0 / 39916800 - q * (1.0 / 6227020800.0 -
                                                                                      q * (1.0 / 1307674368000.0)))))));
}

double short_cosine(double x) noexcept
{
    const double q = x * x;
    return 1.0 - q * (0.5 - q * (1.0 / 24 -
                                 q * (1.0 / 720 - q * (1.0 / 40320 - q * (1.0 / 3628800 -
                                                                          q * (1.0 / 479001600.0 -
                                                                               q * (1.0 / 87178291200.0 -
                                                                                    q * (1.0 / 20922789888000.0))))))));
}

// pi/2 in three parts of 33 bits, so that their products with a quadrant number are exact.
constexpr double half_pi_1 = 0x1.921fb544p+0;
constexpr double half_pi_2 = 0x1.0b4611a6p-34;
constexpr double half_pi_3 = 0x1.3198a2e037073p-69;

// The angle of (x, y), 0 <= y <= x, x > 0. A first estimate within 0.004 rad, then two steps that each triple the
// number of correct digits.
double first_octant(double y, double x) noexcept
{
    const double slope = y / x;
    const double radius = std::sqrt(x * x + y * y);
    double angle = slope * (pi / 4 + 0.273 * (1.0 - slope));
    for (int step = 0; step < 2; ++step) {
        const auto at = sine_cosine(angle);
        angle += (y * at.cosine - x * at.sine) / radius;
    }
    return angle;
}

}  // namespace

SineCosine sine_cosine(double angle) noexcept
{
    const auto quadrant = static_cast<std::int64_t>(angle * (2 / pi) + (angle < 0 ? -0.5 : 0.5));
    const auto turns = static_cast<double>(quadrant);
    const double rest = ((angle - turns * half_pi_1) - turns * half_pi_2) - turns * half_pi_3;
    const double s = short_sine(rest);
    const double c = short_cosine(rest);
    switch (quadrant & 3) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
    }
}

double arctangent(double y, double x) noexcept
{
    const double across = std::abs(y);
    const double along = std::abs(x);
    if (across == 0 && along == 0) return 0;
    double angle = across <= along ? first_octant(across, along) : pi / 2 - first_octant(along, across);
    if (x < 0) angle = pi - angle;
    return y < 0 ? -angle : angle;
}

double wrapped(double angle) noexcept
{
    const double turns = std::floor((angle + pi) / (2 * pi));
    return angle - turns * (2 * pi);
}

double decibels(double ratio) noexcept
{
    constexpr double per_neper = 4.34294481903251827651;  // 10 / ln 10
    constexpr double ln_2 = 0.69314718055994530942;
    constexpr std::uint64_t fraction_bits = 0x000f'ffff'ffff'ffff;
    const auto bits = std::bit_cast<std::uint64_t>(ratio);
    auto exponent = static_cast<int>(bits >> 52) - 1023;
    auto fraction = std::bit_cast<double>((bits & fraction_bits) | 0x3ff0'0000'0000'0000);
    if (fraction > 1.41421356237309504880) {
        fraction *= 0.5;
        ++exponent;
    }
    // ln f = 2 artanh((f - 1) / (f + 1)), where the argument is below 0.172.
    const double z = (fraction - 1) / (fraction + 1);
    const double q = z * z;
    const double series =
        1 +
        q * (1.0 / 3 +
             q * (1.0 / 5 +
                  q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 + q * (1.0 / 13 + q * (1.0 / 15 + q * (1.0 / 17))))))));
    return per_neper * (2 * z * series + exponent * ln_2);
}

double uniform(std::uint64_t seed, std::uint64_t what, std::uint64_t index) noexcept
{
    // The finalizer of SplitMix64 (Steele, Lea, Flood 2014), applied to the three numbers.
    std::uint64_t x = seed * 0x9e37'79b9'7f4a'7c15 + what * 0xd1b5'4a32'd192'ed03 + index * 0x8cb9'2ba7'2f3d'8dd7;
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
    x ^= x >> 31;
    return static_cast<double>(x >> 11) * 0x1p-53;
}

}  // namespace ositrace::scene
