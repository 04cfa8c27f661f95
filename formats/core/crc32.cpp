// SPDX-License-Identifier: MPL-2.0
#include "formats/core/crc32.hpp"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ositrace {

namespace {

constexpr std::uint32_t polynomial = 0xedb8'8320;  // reflected

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables()
{
    Tables tables{};
    for (std::uint32_t i = 0; i != 256; ++i) {
        auto crc = i;
        for (int bit = 0; bit != 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        tables[0][i] = crc;
    }
    for (std::size_t t = 1; t != tables.size(); ++t)
        for (std::size_t i = 0; i != 256; ++i)
            tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
    return tables;
}

constexpr Tables tables = make_tables();

/// a * b mod P; polynomials are reflected, so the highest bit is x^0.
constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) noexcept
{
    std::uint32_t sum = 0;
    for (std::uint32_t bit = 0x8000'0000; bit != 0; bit >>= 1) {
        if ((a & bit) != 0) sum ^= b;
        b = (b >> 1) ^ ((b & 1) != 0 ? polynomial : 0);
    }
    return sum;
}

/// x^n mod P.
constexpr std::uint32_t power_of_x(unsigned n) noexcept
{
    auto power = std::uint32_t{0x8000'0000};
    for (; n != 0; --n) power = (power >> 1) ^ ((power & 1) != 0 ? polynomial : 0);
    return power;
}

/// Eight bytes at a time.
std::uint32_t by_tables(Bytes bytes, std::uint32_t crc) noexcept
{
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
        const auto word = load_le64(bytes.data()) ^ crc;
        crc = 0;
        for (std::size_t i = 0; i != 8; ++i) crc ^= tables[7 - i][(word >> (8 * i)) & 0xff];
    }
    for (const auto byte : bytes) crc = (crc >> 8) ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xff];
    return crc;
}

#if defined(__x86_64__)

constexpr std::size_t fold_bytes = 64;
constexpr std::size_t wide_bytes = 256;

__attribute__((target("pclmul,sse4.1"))) __m128i load_block(const std::byte* from) noexcept
{
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

__attribute__((target("pclmul,sse4.1"))) __m128i fold(__m128i sum, __m128i factors, __m128i next) noexcept
{
    const auto low = _mm_clmulepi64_si128(sum, factors, 0x00);
    const auto high = _mm_clmulepi64_si128(sum, factors, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("avx512f,avx512dq,vpclmulqdq"))) __m512i fold_wide(__m512i sums, __m512i factors,
                                                                         __m512i next) noexcept
{
    constexpr int all_three = 0x96;  // exclusive or
    const auto low = _mm512_clmulepi64_epi128(sums, factors, 0x00);
    const auto high = _mm512_clmulepi64_epi128(sums, factors, 0x11);
    return _mm512_ternarylogic_epi64(low, high, next, all_three);
}

/// What by_folding() does, 256 bytes at a time, four blocks side by side in each register: moves `from` on and leaves
/// the last four blocks in `sums`. `left`: of `from`, 256 or more.
__attribute__((target("avx512f,avx512dq,vpclmulqdq"))) void fold_wide(const std::byte*& from, std::size_t& left,
                                                                      __m128i (&sums)[4]) noexcept
{
    constexpr unsigned bits = 2048;
    constexpr auto factor = [](unsigned n) { return static_cast<long long>(std::uint64_t{power_of_x(n)} << 1); };
    constexpr auto next_factor = factor(bits + 32), last_factor = factor(bits - 32);
    const auto fold_by_2048 = _mm512_set4_epi64(last_factor, next_factor, last_factor, next_factor);
    const auto fold_by_512 = _mm512_set4_epi64(0x01c6e41596, 0x0154442bd4, 0x01c6e41596, 0x0154442bd4);
    __m512i wide[4] = {_mm512_loadu_si512(from), _mm512_loadu_si512(from + 64), _mm512_loadu_si512(from + 128),
                       _mm512_loadu_si512(from + 192)};
    wide[0] = _mm512_xor_si512(wide[0], _mm512_zextsi128_si512(sums[0]));
    for (from += wide_bytes, left -= wide_bytes; left >= wide_bytes; left -= wide_bytes, from += wide_bytes)
        for (std::size_t i = 0; i != 4; ++i)
            wide[i] = fold_wide(wide[i], fold_by_2048, _mm512_loadu_si512(from + 64 * i));
    for (std::size_t i = 1; i != 4; ++i) wide[0] = fold_wide(wide[0], fold_by_512, wide[i]);
    _mm512_storeu_si512(sums, wide[0]);
}

/// Folds blocks of 64 bytes by carry-less multiplication. Source: Gopal et al., "Fast CRC Computation for Generic
/// Polynomials Using PCLMULQDQ Instruction", Intel 2009; the constants are its x^n mod P, reflected. `bytes`: 64 or
/// more, a multiple of 16.
__attribute__((target("pclmul,sse4.1"))) std::uint32_t by_folding(Bytes bytes, std::uint32_t crc, bool wide) noexcept
{
    const auto fold_by_512 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
    const auto fold_by_128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
    const auto fold_by_64 = _mm_set_epi64x(0, 0x0163cd6124);
    const auto barrett = _mm_set_epi64x(0x01f7011641, 0x01db710641);
    const auto low_words = _mm_setr_epi32(~0, 0, ~0, 0);

    const auto* from = bytes.data();
    auto left = bytes.size();
    __m128i sums[4] = {_mm_cvtsi32_si128(static_cast<int>(crc))};
    if (wide && left >= wide_bytes) {
        fold_wide(from, left, sums);
    } else {
        sums[0] = _mm_xor_si128(sums[0], load_block(from));
        for (std::size_t i = 1; i != 4; ++i) sums[i] = load_block(from + 16 * i);
        from += fold_bytes;
        left -= fold_bytes;
    }
    for (; left >= fold_bytes; left -= fold_bytes, from += fold_bytes)
        for (std::size_t i = 0; i != 4; ++i) sums[i] = fold(sums[i], fold_by_512, load_block(from + 16 * i));
    auto sum = sums[0];
    for (std::size_t i = 1; i != 4; ++i) sum = fold(sum, fold_by_128, sums[i]);
    for (; left >= 16; left -= 16, from += 16) sum = fold(sum, fold_by_128, load_block(from));

    // 128 bits to 64, to 32.
    sum = _mm_xor_si128(_mm_srli_si128(sum, 8), _mm_clmulepi64_si128(sum, fold_by_128, 0x10));
    sum = _mm_xor_si128(_mm_srli_si128(sum, 4), _mm_clmulepi64_si128(_mm_and_si128(sum, low_words), fold_by_64, 0x00));
    auto quotient = _mm_clmulepi64_si128(_mm_and_si128(sum, low_words), barrett, 0x10);
    quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, low_words), barrett, 0x00);
    return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(sum, quotient), 1));
}

#endif

}  // namespace

std::uint32_t crc32(Bytes bytes, std::uint32_t crc) noexcept
{
    crc = ~crc;
#if defined(__x86_64__)
    static const bool folds = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
    static const bool wide =
        __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    if (folds && bytes.size() >= fold_bytes) {
        const auto whole = bytes.size() / 16 * 16;
        crc = by_folding(bytes.first(whole), crc, wide);
        bytes = bytes.subspan(whole);
    }
#endif
    return ~by_tables(bytes, crc);
}

// The front is moved on by x^(8 * back_bytes): square and multiply.
std::uint32_t crc32_joined(std::uint32_t front, std::uint32_t back, std::uint64_t back_bytes) noexcept
{
    std::uint32_t power = 0x8000'0000 >> 8;  // x^8
    for (; back_bytes != 0; back_bytes >>= 1, power = product(power, power))
        if ((back_bytes & 1) != 0) front = product(power, front);
    return front ^ back;
}

}  // namespace ositrace
