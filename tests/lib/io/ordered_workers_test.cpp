// SPDX-License-Identifier: MPL-2.0
#include "lib/io/ordered_workers.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>

using namespace ositrace;

TEST_CASE("results come in the order of the jobs, whatever each takes")
{
    const auto threads = GENERATE(0u, 1u, 4u);
    OrderedWorkers<int> workers(threads);
    std::string order;
    for (int i = 0; i != 40; ++i) {
        workers.add([i] {
            std::this_thread::sleep_for(std::chrono::microseconds(i % 3 * 200));
            return i;
        });
        if (workers.size() == 6) order += std::to_string(workers.take()) + ' ';
    }
    while (workers.size() != 0) order += std::to_string(workers.take()) + ' ';
    std::string expected;
    for (int i = 0; i != 40; ++i) expected += std::to_string(i) + ' ';
    CHECK(order == expected);
}

TEST_CASE("what a job throws comes in its turn")
{
    OrderedWorkers<int> workers(GENERATE(0u, 2u));
    workers.add([] { return 1; });
    workers.add([]() -> int { throw std::runtime_error("second"); });
    workers.add([] { return 3; });
    CHECK(workers.take() == 1);
    CHECK_THROWS_WITH(workers.take(), "second");
    CHECK(workers.take() == 3);
}

TEST_CASE("jobs that were not begun are dropped with the workers")
{
    std::atomic<int> done = 0;
    std::atomic<bool> may_end = false;
    {
        OrderedWorkers<int> workers(1);
        for (int i = 0; i != 100; ++i)
            workers.add([&] {
                while (!may_end) std::this_thread::yield();
                return ++done;
            });
        workers.clear();
        CHECK(workers.size() == 0);
        may_end = true;
    }
    CHECK(done <= 1);
}
