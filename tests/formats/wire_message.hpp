// SPDX-License-Identifier: MPL-2.0
// Protobuf by hand: what a test says is what stands on the wire, legal or not.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <ositrace/bytes.hpp>

namespace by_hand {

/// A message under construction: `Message().varint(1, 5).text(2, "a")`.
class Message {
public:
    Message() = default;

    Message& varint(std::uint32_t number, std::uint64_t value) { return tag(number, 0).raw_varint(value); }
    Message& fixed64(std::uint32_t number, std::uint64_t bits) { return tag(number, 1).raw_value(bits); }
    Message& fixed32(std::uint32_t number, std::uint32_t bits) { return tag(number, 5).raw_value(bits); }
    Message& real(std::uint32_t number, double value) { return tag(number, 1).raw_value(value); }
    Message& text(std::uint32_t number, std::string_view value)
    {
        tag(number, 2).raw_varint(value.size());
        return raw(value);
    }
    Message& message(std::uint32_t number, const Message& content) { return text(number, content.bytes_); }

    /// Without regard to what is legal.
    Message& tag(std::uint32_t number, std::uint32_t wire_type)
    {
        return raw_varint(std::uint64_t{number} << 3 | wire_type);
    }
    Message& raw_varint(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
        return *this;
    }
    template <class T>
    Message& raw_value(T value)
    {
        char memory[sizeof value];
        std::memcpy(memory, &value, sizeof value);
        return raw({memory, sizeof value});
    }
    Message& raw(std::string_view bytes)
    {
        bytes_ += bytes;
        return *this;
    }

    [[nodiscard]] const std::string& str() const noexcept { return bytes_; }
    [[nodiscard]] ositrace::Bytes bytes() const noexcept { return ositrace::bytes_of(bytes_); }

private:
    std::string bytes_;
};

}  // namespace by_hand
