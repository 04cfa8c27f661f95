// SPDX-License-Identifier: MPL-2.0
#include <thread>

#include "tests/catch.hpp"
#include "tests/lib/fmu/replayed_model.hpp"
#include "tests/one_processor.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

TEST_CASE("a model's process does not wait awake on the processor that the replay needs", "[fmu]")
{
    const OneProcessor one;
    ReplayedModel replay(test_model(2), options_for({{"behaviour", "nothing"}}));
    replay.begin();
    constexpr int steps = 40;
    replay.step();
    const auto before = replay.model().other_processor_time();
    auto next = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) {
        std::this_thread::sleep_until(next += 5ms);
        replay.step();
    }
    // Awake from 200 us before each step, it takes 250 us a step and more.
    CHECK((replay.model().other_processor_time() - before) / steps < 150us);
    replay.model().finish();
}
