// SPDX-License-Identifier: MPL-2.0
// Bytes in memory and the only loads and stores of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace ositrace {

static_assert(std::endian::native == std::endian::little, "trace files are little-endian and so is the host");

/// A borrowed range of bytes. A function that keeps one longer than the call states who owns it.
using Bytes = std::span<const std::byte>;

/// The bytes of a string, without a copy.
inline Bytes bytes_of(std::string_view text) noexcept { return std::as_bytes(std::span(text.data(), text.size())); }

/// A string over bytes, without a copy; no encoding is implied or checked.
inline std::string_view text_of(Bytes bytes) noexcept
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Unaligned loads and stores. `sizeof(T)` bytes at `from` / `to` must exist.
template <class T>
inline T load(const std::byte* from) noexcept
{
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class T>
inline void store(std::byte* to, T value) noexcept
{
    std::memcpy(to, &value, sizeof value);
}

inline std::uint32_t load_le32(const std::byte* from) noexcept { return load<std::uint32_t>(from); }
inline std::uint64_t load_le64(const std::byte* from) noexcept { return load<std::uint64_t>(from); }
inline void store_le32(std::byte* to, std::uint32_t value) noexcept { store(to, value); }
inline void store_le64(std::byte* to, std::uint64_t value) noexcept { store(to, value); }

}  // namespace ositrace
