// SPDX-License-Identifier: MPL-2.0
// How long does it take to read two numbers of every lidar reflection of a trace? Prints wall and CPU seconds, without
// those of starting the program. usage: ositrace-bench-columns FILE
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string_view>
#include <variant>

#include <ositrace/columns.hpp>
#include <ositrace/trace.hpp>

#include "tests/bench/cpu_seconds.hpp"

namespace {

using ositrace::MessageView;

std::size_t read_all(ositrace::FrameSource& trace)
{
    const auto& channel = trace.info().channels.at(0);
    const auto& sensors = *channel.root->find("lidar_sensor_view");
    constexpr std::array<std::string_view, 2> leaves{"signal_strength", "time_of_flight"};
    ositrace::ColumnReader columns(*sensors.child->find("reflection"), leaves);
    std::size_t rows = 0;
    for (ositrace::Frame frame; trace.read(frame);) {
        const MessageView view(frame.bytes, *channel.root, channel.format);
        const auto lidars = view.repeated(sensors);
        for (std::size_t i = 0; i != lidars.size(); ++i) {
            columns.read(std::get<MessageView>(lidars[i]));
            rows += columns.reals(0).size();
        }
    }
    return rows;
}

}  // namespace

int main(int argc, char** argv)
try {
    if (argc != 2) return 2;
    const auto start = std::chrono::steady_clock::now();
    const auto cpu = cpu_seconds();
    const auto rows = read_all(*ositrace::open_trace(argv[1])->reader());
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %.6f %zu\n", wall.count(), cpu_seconds() - cpu, rows);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
