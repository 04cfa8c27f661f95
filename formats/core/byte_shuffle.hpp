// SPDX-License-Identifier: MPL-2.0
// Rearranges 64 bytes in one register, where the processor can (AVX-512 VBMI). Every kernel that does has a portable
// twin, which tests compare with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ositrace/bytes.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#define OSITRACE_SHUFFLES_BYTES __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#endif

namespace ositrace {

/// Where the bytes of some elements go.
struct ByteShuffle {
    static constexpr std::size_t width = 64;
    /// A run of fewer elements is not worth the preparation.
    static constexpr std::size_t least_elements = 32;

    std::array<std::uint8_t, width> source{};  ///< of each byte of the output
    std::uint64_t taken = 0;                   ///< which bytes of the output are from the input
    std::array<std::byte, width> constant{};   ///< the others

    void take(std::size_t from, std::size_t to, std::size_t bytes) noexcept
    {
        for (std::size_t i = 0; i != bytes; ++i) {
            source[to + i] = static_cast<std::uint8_t>(from + i);
            taken |= std::uint64_t{1} << (to + i);
        }
    }
    /// The first `count` bytes.
    [[nodiscard]] static constexpr std::uint64_t first(std::size_t count) noexcept
    {
        return count >= width ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    }
};

/// Whether kernels shuffle bytes: as the processor can. Tests switch it off.
[[nodiscard]] inline bool& shuffles_bytes() noexcept
{
#if defined(__x86_64__)
    static bool used =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
#else
    static bool used = false;
#endif
    return used;
}

}  // namespace ositrace
