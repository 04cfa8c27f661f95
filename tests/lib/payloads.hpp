// SPDX-License-Identifier: MPL-2.0
// Protobuf payloads written by hand.
#pragma once

#include <cstdint>
#include <string>

namespace ositrace {

/// A length-prefixed field of a Protobuf message; for numbers below 16 and contents below 2 MiB.
inline std::string field(std::uint32_t number, const std::string& contents)
{
    std::string result(1, static_cast<char>(number << 3 | 2));
    auto length = contents.size();
    for (; length >= 128; length >>= 7) result += static_cast<char>(length | 128);
    return result + static_cast<char>(length) + contents;
}

inline std::string varint_field(std::uint32_t number, std::uint8_t value_below_128)
{
    return {static_cast<char>(number << 3), static_cast<char>(value_below_128)};
}

/// GroundTruth { timestamp { seconds }, map_reference of `size` bytes }
inline std::string ground_truth(std::uint8_t seconds, std::size_t size = 0)
{
    constexpr std::uint32_t map_reference = 15;
    auto result = field(2, varint_field(1, seconds));
    if (size != 0) result += field(map_reference, std::string(size, static_cast<char>('a' + seconds % 26)));
    return result;
}

/// GroundTruth of OSI `major.minor.patch`, and nothing else.
inline std::string ground_truth_of_release(std::uint8_t major, std::uint8_t minor, std::uint8_t patch)
{
    return field(1, varint_field(1, major) + varint_field(2, minor) + varint_field(3, patch));
}

/// Behind its length, as it stands in a file.
inline std::string length_prefixed(const std::string& payload)
{
    std::string result;
    for (int shift = 0; shift < 32; shift += 8) result += static_cast<char>(payload.size() >> shift);
    return result + payload;
}

}  // namespace ositrace
