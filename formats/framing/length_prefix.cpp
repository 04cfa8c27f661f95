// SPDX-License-Identifier: MPL-2.0
#include "formats/framing/length_prefix.hpp"

#include <array>
#include <cstring>
#include <string>

#include "formats/core/message_limit.hpp"
#include "formats/core/too_few_bytes.hpp"

namespace ositrace::length_prefix {

std::optional<std::uint32_t> length_at(Bytes bytes) noexcept
{
    if (bytes.size() < prefix_bytes) return std::nullopt;
    return load_le32(bytes.data());
}

void check_length(std::uint32_t length, std::size_t max_message_bytes, std::optional<std::uint64_t> remaining)
{
    if (length > max_message_bytes)
        throw Error(Cause::limit, "length " + std::to_string(length) + exceeds_limit(length, max_message_bytes));
    if (remaining && length > *remaining) throw truncated_payload(*remaining, length);
}

Error truncated_payload(std::uint64_t present, std::uint32_t length)
{
    return {Cause::truncated, "the file is truncated: the frame needs " + too_few_bytes(length, present)};
}

Error truncated_prefix(std::uint64_t present)
{
    return {Cause::truncated, "the file is truncated: the length prefix needs " + too_few_bytes(prefix_bytes, present)};
}

Error zero_tail(std::uint64_t count)
{
    const auto zeros = std::to_string(count) + " zero bytes up to the end of the file: ";
    if (count >= min_damage_zeros)
        return {Cause::malformed, {}, zeros + "preallocated and never written", Damage::preallocated_tail};
    return {Cause::malformed,
            {},
            zeros + "a trace does not end with empty messages (--keep-empty keeps them)",
            Damage::empty_tail};
}

Error zeros_between_frames(std::uint64_t count)
{
    return {Cause::malformed, std::to_string(count) +
                                  " zero bytes between two frames: too many for empty messages "
                                  "(--keep-empty keeps them)"};
}

Error empty_flatbuffer()
{
    return {Cause::malformed, {}, "an empty message, which is not a FlatBuffer", Damage::empty_message};
}

std::size_t leading_zeros(Bytes bytes) noexcept
{
    // There may be gigabytes: memcmp() is faster than a loop here.
    static constexpr std::array<std::byte, 4096> zeros{};
    std::size_t count = 0;
    while (bytes.size() - count >= zeros.size() && std::memcmp(bytes.data() + count, zeros.data(), zeros.size()) == 0)
        count += zeros.size();
    while (bytes.size() - count >= 8 && load_le64(bytes.data() + count) == 0) count += 8;
    while (count < bytes.size() && bytes[count] == std::byte{0}) ++count;
    return count;
}

}  // namespace ositrace::length_prefix
