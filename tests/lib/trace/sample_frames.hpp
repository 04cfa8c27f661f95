// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/trace.hpp>

/// Hand-made SensorView messages in length-prefixed files.
namespace sample {

inline std::string varint(std::uint64_t value)
{
    std::string text;
    for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
    return text + static_cast<char>(value);
}

inline std::string field(std::uint32_t number, const std::string& bytes)
{
    return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

inline std::string field(std::uint32_t number, std::uint64_t value) { return varint(number << 3) + varint(value); }

inline std::string timestamp(std::int64_t seconds, std::uint32_t nanos)
{
    return field(2, field(1, static_cast<std::uint64_t>(seconds)) + field(2, nanos));
}

/// OSI 3.8.0, a time, a sensor id, and `padding` bytes in a field of the user's own.
inline std::string sensor_view(std::int64_t seconds, std::size_t padding = 0)
{
    const auto version = field(1, field(1, 3) + field(2, 8) + field(3, 0));
    const auto sensor_id = field(3, field(1, 42));
    return version + timestamp(seconds, 0) + sensor_id + (padding == 0 ? "" : field(10000, std::string(padding, 'x')));
}

inline std::string prefix(std::uint32_t length)
{
    std::string text(4, '\0');
    ositrace::store_le32(reinterpret_cast<std::byte*>(text.data()), length);
    return text;
}

inline std::string framed(const std::string& payload)
{
    return prefix(static_cast<std::uint32_t>(payload.size())) + payload;
}

/// Frames with times 0, 1, 2 ... seconds.
inline std::string frames(int count, std::size_t padding = 0)
{
    std::string text;
    for (int i = 0; i < count; ++i) text += framed(sensor_view(i, padding));
    return text;
}

inline ositrace::OpenOptions as_sensor_view()
{
    ositrace::OpenOptions options;
    options.type = ositrace::MessageType::sensor_view;
    options.encoding = ositrace::Encoding::protobuf;
    options.keep_index = false;
    return options;
}

}  // namespace sample
