// SPDX-License-Identifier: MPL-2.0
#include <string>
#include <vector>

#include "lib/trace/time_steps.hpp"
#include "tests/catch.hpp"

using namespace ositrace;

namespace {

/// `frame:length/usual` of every gap; lengths in milliseconds.
std::string gaps_among(const std::vector<int>& lengths)
{
    std::string text;
    const auto on_gap = [&](const TimeStep& gap, Nanoseconds usual) {
        const auto ms = [](Nanoseconds time) { return std::to_string(time / std::chrono::milliseconds(1)); };
        text += std::to_string(gap.frame) + ':' + ms(gap.length()) + '/' + ms(usual) + ' ';
    };
    GapFinder finder;
    Nanoseconds time{};
    std::uint64_t frame = 0;
    for (const auto length : lengths) {
        const auto from = time;
        time += std::chrono::milliseconds(length);
        finder.add({++frame, {}, from, time}, on_gap);
    }
    finder.finish(on_gap);
    return text;
}

std::vector<int> steps_then(std::size_t count, int length, std::size_t others, int other, std::size_t rest)
{
    std::vector<int> lengths(count, length);
    lengths.insert(lengths.end(), others, other);
    lengths.insert(lengths.end(), rest, length);
    return lengths;
}

}  // namespace

TEST_CASE("a gap is found wherever it stands")
{
    for (const std::size_t frames : {3, 5, 17, 18, 40})
        for (std::size_t gap = 0; gap < frames; ++gap) {
            INFO(frames << " steps, gap at " << gap);
            CHECK(gaps_among(steps_then(gap, 100, 1, 4100, frames - gap - 1)) ==
                  std::to_string(gap + 1) + ":4100/100 ");
        }
}

TEST_CASE("a gap is found among steps that jitter")
{
    std::vector<int> lengths;
    for (int i = 0; i < 60; ++i) lengths.push_back(80 + i * 7 % 3 * 20);
    CHECK(gaps_among(lengths).empty());
    lengths[31] = 10000;
    CHECK(gaps_among(lengths) == "32:10000/100 ");
}

TEST_CASE("up to eight long steps in a row are gaps, more are another rate")
{
    CHECK(gaps_among(steps_then(20, 100, 2, 400, 20)) == "21:400/100 22:400/100 ");
    CHECK(gaps_among(steps_then(20, 100, 8, 400, 20)).substr(0, 21) == "21:400/100 22:400/100");
    CHECK(gaps_among(steps_then(20, 100, 9, 400, 20)).empty());
    CHECK(gaps_among(steps_then(20, 100, 9, 400, 0)).empty());
    CHECK(gaps_among(steps_then(20, 100, 8, 400, 0)).substr(0, 21) == "21:400/100 22:400/100");
    CHECK(gaps_among(steps_then(0, 100, 9, 400, 20)).empty());
}

TEST_CASE("steps at the end of the range of times do not overflow")
{
    std::string gaps;
    GapFinder finder;
    const auto on_gap = [&](const TimeStep& gap, Nanoseconds) { gaps += std::to_string(gap.frame) + ' '; };
    finder.add({1, {}, Nanoseconds(0), Nanoseconds(1)}, on_gap);
    finder.add({2, {}, Nanoseconds(1), Nanoseconds(2)}, on_gap);
    finder.add({3, {}, Nanoseconds::min(), Nanoseconds::max()}, on_gap);
    finder.finish(on_gap);
    CHECK(gaps == "3 ");
}
