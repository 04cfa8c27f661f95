// SPDX-License-Identifier: MPL-2.0
#include "formats/core/crc32.hpp"

#include <array>
#include <bit>

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

/// x^(8 * 2^i) mod P: what moves a sum on by 2^i bytes.
constexpr std::array<std::uint32_t, 64> moves = [] {
    std::array<std::uint32_t, 64> powers{};
    auto power = power_of_x(8);
    for (auto& each : powers) {
        each = power;
        power = product(power, power);
    }
    return powers;
}();

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

/// Of two blocks, low half first: moves a sum on by `bits`.
struct Factors {
    long long low, high;
};
constexpr Factors factors_for(unsigned bits)
{
    constexpr auto factor = [](unsigned n) { return static_cast<long long>(std::uint64_t{power_of_x(n)} << 1); };
    return {factor(bits + 32), factor(bits - 32)};
}

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

__attribute__((target("avx2,vpclmulqdq"))) __m256i load_wide(const std::byte* from) noexcept
{
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

__attribute__((target("avx2,vpclmulqdq"))) __m256i fold_wide(__m256i sums, __m256i factors, __m256i next) noexcept
{
    const auto low = _mm256_clmulepi64_epi128(sums, factors, 0x00);
    const auto high = _mm256_clmulepi64_epi128(sums, factors, 0x11);
    return _mm256_xor_si256(_mm256_xor_si256(low, high), next);
}

/// What by_folding() does, several blocks side by side in each of four registers: moves `from` on and leaves the last
/// four blocks in `sums`. `left`: of `from`, as many bytes as four registers hold, or more.
__attribute__((target("avx512f,avx512dq,vpclmulqdq"))) void fold_512(const std::byte*& from, std::size_t& left,
                                                                     __m128i (&sums)[4]) noexcept
{
    constexpr auto by_2048 = factors_for(2048), by_512 = factors_for(512);
    const auto far = _mm512_set4_epi64(by_2048.high, by_2048.low, by_2048.high, by_2048.low);
    const auto near = _mm512_set4_epi64(by_512.high, by_512.low, by_512.high, by_512.low);
    __m512i wide[4];
    for (std::size_t i = 0; i != 4; ++i) wide[i] = _mm512_loadu_si512(from + 64 * i);
    wide[0] = _mm512_xor_si512(wide[0], _mm512_zextsi128_si512(sums[0]));
    for (from += 256, left -= 256; left >= 256; left -= 256, from += 256)
        for (std::size_t i = 0; i != 4; ++i) wide[i] = fold_wide(wide[i], far, _mm512_loadu_si512(from + 64 * i));
    for (std::size_t i = 1; i != 4; ++i) wide[0] = fold_wide(wide[0], near, wide[i]);
    _mm512_storeu_si512(sums, wide[0]);
}

__attribute__((target("avx2,vpclmulqdq"))) void fold_256(const std::byte*& from, std::size_t& left,
                                                         __m128i (&sums)[4]) noexcept
{
    constexpr auto by_1024 = factors_for(1024), by_512 = factors_for(512);
    const auto far = _mm256_set_epi64x(by_1024.high, by_1024.low, by_1024.high, by_1024.low);
    const auto near = _mm256_set_epi64x(by_512.high, by_512.low, by_512.high, by_512.low);
    __m256i wide[4];
    for (std::size_t i = 0; i != 4; ++i) wide[i] = load_wide(from + 32 * i);
    wide[0] = _mm256_xor_si256(wide[0], _mm256_zextsi128_si256(sums[0]));
    for (from += 128, left -= 128; left >= 128; left -= 128, from += 128)
        for (std::size_t i = 0; i != 4; ++i) wide[i] = fold_wide(wide[i], far, load_wide(from + 32 * i));
    for (std::size_t i = 0; i != 2; ++i)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + 2 * i), fold_wide(wide[i], near, wide[i + 2]));
}

/// Folds blocks of 64 bytes by carry-less multiplication. Source: Gopal et al., "Fast CRC Computation for Generic
/// Polynomials Using PCLMULQDQ Instruction", Intel 2009; the constants are its x^n mod P, reflected. `bytes`: 64 or
/// more, a multiple of 16.
__attribute__((target("pclmul,sse4.1"))) std::uint32_t by_folding(Bytes bytes, std::uint32_t crc, CrcWay way) noexcept
{
    constexpr auto by_512 = factors_for(512);
    const auto fold_by_512 = _mm_set_epi64x(by_512.high, by_512.low);
    const auto fold_by_128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
    const auto fold_by_64 = _mm_set_epi64x(0, 0x0163cd6124);
    const auto barrett = _mm_set_epi64x(0x01f7011641, 0x01db710641);
    const auto low_words = _mm_setr_epi32(~0, 0, ~0, 0);

    const auto* from = bytes.data();
    auto left = bytes.size();
    __m128i sums[4] = {_mm_cvtsi32_si128(static_cast<int>(crc))};
    if (way == CrcWay::fold_512 && left >= 256) {
        fold_512(from, left, sums);
    } else if (way >= CrcWay::fold_256 && left >= 128) {
        fold_256(from, left, sums);
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

CrcWay best_crc_way() noexcept
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("sse4.1")) return CrcWay::tables;
    if (!__builtin_cpu_supports("vpclmulqdq") || !__builtin_cpu_supports("avx2")) return CrcWay::fold_128;
    const bool widest = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return widest ? CrcWay::fold_512 : CrcWay::fold_256;
#else
    return CrcWay::tables;
#endif
}

std::uint32_t crc32(Bytes bytes, std::uint32_t crc) noexcept
{
    static const auto way = best_crc_way();
    return crc32(bytes, crc, way);
}

std::uint32_t crc32(Bytes bytes, std::uint32_t crc, [[maybe_unused]] CrcWay way) noexcept
{
    crc = ~crc;
#if defined(__x86_64__)
    if (way != CrcWay::tables && bytes.size() >= fold_bytes) {
        const auto whole = bytes.size() / 16 * 16;
        crc = by_folding(bytes.first(whole), crc, way);
        bytes = bytes.subspan(whole);
    }
#endif
    return ~by_tables(bytes, crc);
}

// The front is moved on by x^(8 * back_bytes).
std::uint32_t crc32_joined(std::uint32_t front, std::uint32_t back, std::uint64_t back_bytes) noexcept
{
    for (; back_bytes != 0; back_bytes &= back_bytes - 1)
        front = product(moves[static_cast<std::size_t>(std::countr_zero(back_bytes))], front);
    return front ^ back;
}

}  // namespace ositrace
