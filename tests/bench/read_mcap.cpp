// SPDX-License-Identifier: MPL-2.0
// How long does it take to read every frame of a trace? Prints wall and CPU seconds, without those of starting the
// program. usage: ositrace-bench-read stream|index THREADS FILE
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <ositrace/trace.hpp>

#include "tests/bench/cpu_seconds.hpp"

namespace {

std::uint64_t read_all(ositrace::FrameSource& trace)
{
    std::uint64_t bytes = 0;
    for (ositrace::Frame frame; trace.read(frame);) bytes += frame.bytes.size();
    return bytes;
}

std::uint64_t read_file(bool stream, const char* file, const ositrace::OpenOptions& options)
{
    return stream ? read_all(*ositrace::open_stream(file, options))
                  : read_all(*ositrace::open_trace(file, options)->reader());
}

}  // namespace

int main(int argc, char** argv)
try {
    if (argc != 4) return 2;
    ositrace::OpenOptions options;
    options.threads = static_cast<unsigned>(std::atoi(argv[2]));
    const auto start = std::chrono::steady_clock::now();
    const auto cpu = cpu_seconds();
    const auto bytes = read_file(std::string_view(argv[1]) == "stream", argv[3], options);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %.6f %llu\n", wall.count(), cpu_seconds() - cpu, static_cast<unsigned long long>(bytes));
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
