// SPDX-License-Identifier: MPL-2.0
// The chunks of a sound MCAP file in memory, for what is timed without us.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/cpu_seconds.hpp"

struct McapChunks {
    struct Chunk {
        const char* data;
        std::size_t size;
        std::size_t unpacked_size;
    };

    explicit McapChunks(const char* name)
    {
        std::ifstream in(name, std::ios::binary);
        file.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        constexpr std::size_t magic_bytes = 8, prefix_bytes = 9;
        constexpr char chunk_opcode = 0x06;
        for (std::size_t at = magic_bytes; at + prefix_bytes <= file.size() - magic_bytes;) {
            const auto size = number<std::uint64_t>(at + 1);
            if (file[at] == chunk_opcode) chunks.push_back(chunk_at(at + prefix_bytes, size));
            at += prefix_bytes + size;
        }
    }
    McapChunks(const McapChunks&) = delete;
    McapChunks& operator=(const McapChunks&) = delete;

    std::string file;
    std::vector<Chunk> chunks;

private:
    template <class T>
    [[nodiscard]] T number(std::size_t at) const
    {
        T value = 0;
        std::memcpy(&value, file.data() + at, sizeof value);
        return value;
    }
    [[nodiscard]] Chunk chunk_at(std::size_t content, std::size_t size) const
    {
        constexpr std::size_t name_at = 8 + 8 + 8 + 4;  // behind times, size and CRC
        const auto records_at = name_at + 4 + number<std::uint32_t>(content + name_at) + 8;
        return {file.data() + content + records_at, size - records_at, number<std::uint64_t>(content + 16)};
    }
};

/// Prints the wall and CPU seconds that the work takes, done by so many threads at once.
template <class Work>
void time_on_threads(int count, Work&& work)
{
    const auto start = std::chrono::steady_clock::now();
    const auto cpu = cpu_seconds();
    std::vector<std::thread> threads;
    for (int i = 0; i != count; ++i) threads.emplace_back([&] { work(); });
    for (auto& thread : threads) thread.join();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %.6f\n", wall.count(), cpu_seconds() - cpu);
}
