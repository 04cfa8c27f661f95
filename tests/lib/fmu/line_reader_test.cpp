// SPDX-License-Identifier: MPL-2.0
#include "lib/system/line_reader.hpp"
#include "tests/catch.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <unistd.h>

using namespace ositrace;
using namespace std::chrono_literals;

TEST_CASE("reading a model's lines ends though a process that it left behind never stops writing", "[fmu]")
{
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    std::atomic<int> lines = 0;
    std::optional<LineReader> reader;
    reader.emplace(FileHandle(ends[0]), [&](std::string_view) {
        ++lines;
        std::this_thread::sleep_for(1ms);  // slower than what writes: the pipe is never empty
    });
    const auto began = std::chrono::steady_clock::now();
    std::thread writer([&] {
        const auto line = std::string(4000, 'x') + '\n';
        while (std::chrono::steady_clock::now() - began < 10s && ::write(ends[1], line.data(), line.size()) > 0) {
        }
        ::close(ends[1]);
    });
    while (lines < 20) std::this_thread::sleep_for(1ms);
    reader.reset();
    CHECK(std::chrono::steady_clock::now() - began < 5s);
    writer.join();
}
