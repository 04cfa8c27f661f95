// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/round.hpp"
#include "app/bench/core/verdict.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>

using namespace ositrace;
using namespace ositrace::bench;

namespace {

/// Solves the task, or does not.
Variant variant(std::string name, std::vector<double> numbers, Role role = Role::other)
{
    Variant made{.name = std::move(name), .what = "", .role = role, .run = [] { return std::size_t{8}; }};
    made.answer = [numbers = std::move(numbers)](Answer& answer) { answer.add(numbers); };
    return made;
}

Round round_of(std::vector<Variant> variants) { return {"the task", 2, "frame", Clock::thread, std::move(variants)}; }

std::string error_of(const Round& round, const ContestOptions& options = {.repetitions = 1})
{
    try {
        static_cast<void>(contest(round, options));
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("variants with equal answers are timed, each as often as asked")
{
    const auto result = contest(round_of({variant("a", {1, 2}), variant("b", {1, 2})}), {.repetitions = 3});
    REQUIRE(result.timings.size() == 2);
    CHECK(result.timings[0].samples.size() == 3);
    CHECK(result.timings[1].samples.size() == 3);
    CHECK(result.timings[1].bytes == 8);
    CHECK(std::ranges::all_of(result.timings[0].samples, [](double time) { return time > 0; }));
}

TEST_CASE("a variant with another answer fails the run, and nothing is timed")
{
    int runs = 0;
    auto wrong = variant("wrong", {1, 3});
    wrong.run = [&] { return ++runs, std::size_t{0}; };
    CHECK(error_of(round_of({variant("right", {1, 2}), wrong})) ==
          "the task: 'wrong' and 'right' give different results, so their times mean nothing");
    CHECK(runs == 1);
}

TEST_CASE("a variant whose answer is right at first and wrong after some runs fails the run")
{
    int answers = 0;
    auto forgetful = variant("forgetful", {});
    forgetful.answer = [&](Answer& answer) {
        const std::array number{++answers == 1 ? 1.0 : 2.0};
        answer.add(number);
    };
    CHECK(error_of(round_of({variant("right", {1}), forgetful})) ==
          "the task: 'forgetful' and 'right' give different results, so their times mean nothing");
}

TEST_CASE("one bit makes another answer: of bytes, of numbers, in either half")
{
    for (const bool spoil_first : {true, false}) {
        const auto round = round_of({variant("a", {1, 2, 3}), variant("b", {1, 2, 3})});
        CHECK(error_of(round, {.repetitions = 1, .spoiled = spoil_first ? "a" : "b"}) ==
              "the task: 'b' and 'a' give different results, so their times mean nothing");
    }
    Answer plain, spoiled;
    spoiled.spoil();
    for (auto* answer : {&plain, &spoiled}) answer->add(bytes_of("nine bytes"));
    CHECK_FALSE(plain.same_as(spoiled));
}

TEST_CASE("answers differ by order, by where one part ends, and by what is missing")
{
    const auto answer_of = [](const std::vector<std::string_view>& parts) {
        Answer answer;
        for (const auto part : parts) answer.add(bytes_of(part));
        return answer;
    };
    CHECK(answer_of({"ab", "c"}).same_as(answer_of({"ab", "c"})));
    CHECK_FALSE(answer_of({"ab", "c"}).same_as(answer_of({"c", "ab"})));
    CHECK_FALSE(answer_of({"ab", "c"}).same_as(answer_of({"a", "bc"})));
    CHECK_FALSE(answer_of({"ab", "c"}).same_as(answer_of({"ab"})));
    CHECK_FALSE(answer_of({std::string_view("a\0", 2)}).same_as(answer_of({"a"})));
}

TEST_CASE("a variant that keeps floats is compared as such, and only that one is")
{
    auto floats = variant("floats", {});
    floats.answer = [](Answer& answer) {
        const std::array numbers{0.1F, 0.2F};
        answer.add_coarse(numbers);
    };
    floats.keeps_less = true;
    CHECK(error_of(round_of({variant("doubles", {0.1, 0.2}), floats})) == "none");
    CHECK(error_of(round_of({variant("doubles", {0.1, 0.3}), floats})) ==
          "the task: 'floats' and 'doubles' give different results, so their times mean nothing");
    CHECK(error_of(round_of({variant("doubles", {0.1, 0.2}), variant("rounded doubles", {0.1F, 0.2F})})) != "none");
}

TEST_CASE("a message that keeps no zeros is compared as such, and only that one is")
{
    const auto answer_with = [](std::string_view exact, std::string_view coarse) {
        return [=](Answer& answer) { answer.add(bytes_of(exact), bytes_of(coarse)); };
    };
    auto whole = variant("whole", {}), plain = variant("plain", {});
    whole.answer = answer_with("a0b", "ab");
    plain.answer = [](Answer& answer) { answer.add_coarse(bytes_of("ab")); };
    plain.keeps_less = true;
    CHECK(error_of(round_of({whole, plain})) == "none");
    plain.keeps_less = false;
    CHECK(error_of(round_of({whole, plain})) != "none");
    plain.keeps_less = true;
    for (const auto* name : {"whole", "plain"})
        CHECK(error_of(round_of({whole, plain}), {.repetitions = 1, .spoiled = name}) != "none");
    plain.answer = [](Answer& answer) { answer.add_coarse(bytes_of("aB")); };
    CHECK(error_of(round_of({whole, plain})) ==
          "the task: 'plain' and 'whole' give different results, so their times mean nothing");
}

TEST_CASE("what is to be done before every run is not timed, and a sample is one run")
{
    int before = 0, runs = 0;
    auto cold = variant("cold", {1});
    cold.before = [&] { ++before; };
    cold.run = [&] { return ++runs, std::size_t{0}; };
    static_cast<void>(contest(round_of({cold}), {.repetitions = 3}));
    CHECK(before == 4);  // a run ahead of them
    CHECK(runs == 5);    // and that for the answer
}

TEST_CASE("heap use is what a piece of work allocates, and the most of it at a time")
{
    const auto use = heap_use_of([] {
        for (int i = 0; i < 3; ++i) {
            std::vector<std::byte> block(1000);
            block[0] = std::byte{1};
        }
    });
    if (!use) return;  // a libc or a sanitizer that cannot be watched
    CHECK(use->allocations == 3);
    CHECK(use->peak_bytes >= 1000);
    CHECK(use->peak_bytes < 2000);
    CHECK(heap_use_of([] {})->allocations == 0);
}

TEST_CASE("heap use counts aligned memory, which our own buffers are")
{
    const auto use = heap_use_of([] {
        ByteBuffer buffer;
        buffer.clear(100'000);
        buffer.clear(200'000);
    });
    if (!use) return;
    CHECK(use->allocations == 2);
    CHECK(use->peak_bytes >= 200'000);
    CHECK(use->peak_bytes < 300'000);
}

TEST_CASE("a conclusion holds with the same direction and half of the effect")
{
    CHECK(verdict(0.5, 0.5) == "holds");
    CHECK(verdict(0.5, 0.7) == "holds");
    CHECK(verdict(0.5, 0.8) == "does not hold");
    CHECK(verdict(0.5, 2.0) == "does not hold");
    CHECK(verdict(1.6, 1.3) == "holds");
    CHECK(verdict(1.6, 0.9) == "does not hold");
    CHECK(verdict(1.0, 1.2) == "holds");
    CHECK(verdict(1.0, 0.7) == "does not hold");
    CHECK(verdict(1.0, std::nullopt) == "was not comparable");
}

TEST_CASE("only a yardstick may have no answer")
{
    auto silent = variant("silent", {});
    silent.answer = {};
    CHECK(error_of(round_of({variant("a", {1}), silent})) == "the task: 'silent' cannot be compared");
    silent.role = Role::yardstick;
    CHECK(error_of(round_of({variant("a", {1}), silent})) == "none");
}

TEST_CASE("variants take turns, each time from another one on")
{
    std::string order;
    std::vector<Variant> variants;
    for (const char name : {'a', 'b', 'c'}) {
        variants.push_back(variant({name}, {1}));
        variants.back().run = [&order, name] {  // long enough that a sample is one run
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(3);
            while (std::chrono::steady_clock::now() < end) {
            }
            order += name;
            return std::size_t{0};
        };
    }
    auto round = round_of(variants);
    round.clock = Clock::wall;  // the wait may be spent off the processor
    static_cast<void>(contest(round, {.repetitions = 3}));
    CHECK(order.substr(order.size() - 9) == "abcbcacab");
}

TEST_CASE("quantiles lie between the samples")
{
    const Timing timing{"", "", Role::other, 0, {40, 10, 30, 20, 50}};
    CHECK(timing.quantile(0) == 10);
    CHECK(timing.quantile(0.25) == 20);
    CHECK(timing.median() == 30);
    CHECK(timing.quantile(1) == 50);
    CHECK(timing.quantile(0.125) == 15);
}

TEST_CASE("ratios are those of medians to the first variant of a role")
{
    const RoundResult round{"",
                            1,
                            "frame",
                            Clock::thread,
                            {{"memcpy of it", "", Role::yardstick, 0, {10}},
                             {"naive, fresh", "", Role::naive, 0, {80}},
                             {"ositrace", "", Role::ours, 0, {20}}}};
    CHECK(round.ratio_to(Role::yardstick, round.timings[2]) == 2.0);
    CHECK(round.ratio_to(Role::naive, round.timings[2]) == 0.25);
    CHECK(round.ratio_to(Role::other, round.timings[2]) == std::nullopt);
    CHECK(round.ratio_title(Role::yardstick) == "x memcpy");
    CHECK(round.ratio_title(Role::naive) == "x naive");
    CHECK(round.ratio_title(Role::other).empty());
}
