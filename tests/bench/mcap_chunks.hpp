// SPDX-License-Identifier: MPL-2.0
// Where the chunks of a sound MCAP file are, for what is timed without us.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/cpu_seconds.hpp"

struct McapChunks {
    struct Chunk {
        const char* data;
        std::size_t size;
        std::size_t unpacked_size;
    };

    /// `loaded`: every page is there before this returns; else only those in front of the chunks.
    McapChunks(const char* name, bool loaded) : file(mapped(name, loaded))
    {
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

    std::string_view file;  ///< until the process ends
    std::vector<Chunk> chunks;

private:
    static std::string_view mapped(const char* name, bool loaded)
    {
        struct stat status{};
        const int descriptor = open(name, O_RDONLY | O_CLOEXEC);
        if (descriptor < 0 || fstat(descriptor, &status) != 0) std::abort();
        const auto size = static_cast<std::size_t>(status.st_size);
        void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | (loaded ? MAP_POPULATE : 0), descriptor, 0);
        if (at == MAP_FAILED) std::abort();
        close(descriptor);
        return {static_cast<const char*>(at), size};
    }
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
