// SPDX-License-Identifier: MPL-2.0
#include "lib/messages/exact_math.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace ositrace::scene;

TEST_CASE("sine and cosine agree with the mathematical library")
{
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const double angle = (uniform(1, 2, i) - 0.5) * (i % 2 == 0 ? 10 : 1e6);
        const auto found = sine_cosine(angle);
        REQUIRE(std::abs(found.sine - std::sin(angle)) < 5e-16);
        REQUIRE(std::abs(found.cosine - std::cos(angle)) < 5e-16);
    }
}

TEST_CASE("the arctangent agrees with the mathematical library in all quadrants")
{
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const double y = uniform(1, 2, i) - 0.5, x = uniform(1, 3, i) - 0.5;
        REQUIRE(std::abs(arctangent(y, x) - std::atan2(y, x)) < 1e-15);
    }
    CHECK(arctangent(0, 0) == 0);
    CHECK(arctangent(0, -1) == pi);
    CHECK(arctangent(-2, 0) == -pi / 2);
}

TEST_CASE("decibels agree with the mathematical library")
{
    for (int exponent = -300; exponent < 300; exponent += 7) {
        const double ratio = std::pow(10.0, exponent / 10.0) * 1.2345;
        CHECK(decibels(ratio) == Approx(10 * std::log10(ratio)).epsilon(1e-14).margin(1e-13));
    }
    CHECK(decibels(1) == 0);
}

TEST_CASE("angles wrap into one turn")
{
    CHECK(wrapped(0.5) == 0.5);
    CHECK(wrapped(4) == Approx(4 - 2 * pi));
    CHECK(wrapped(-4) == Approx(2 * pi - 4));
    CHECK(wrapped(-pi) == -pi);
    CHECK(wrapped(pi) == -pi);
}

TEST_CASE("uniform numbers are at least 0 and below 1")
{
    double sum = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const double x = uniform(5, 1, i);
        REQUIRE(x >= 0);
        REQUIRE(x < 1);
        sum += x;
    }
    CHECK(sum / 10'000 == Approx(0.5).margin(0.02));
}
