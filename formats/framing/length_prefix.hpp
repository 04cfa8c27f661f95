// SPDX-License-Identifier: MPL-2.0
// The record syntax of `.osi` and `.osifb`: { u32 little-endian length, not counting itself; payload }, repeated,
// nothing else. Pure: bytes in, records out. Offsets in errors count from the record's length prefix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

namespace ositrace::length_prefix {

inline constexpr std::size_t prefix_bytes = 4;
/// From this many zero bytes in a row on, a block of a disk, they are damage: a preallocated file, or a page that was
/// lost. Fewer between two messages are empty messages; at the end of a trace any number is damage.
inline constexpr std::uint64_t min_damage_zeros = 512;
/// How much of a payload is enough to judge its start.
inline constexpr std::size_t judged_bytes = 256;

/// The length of the record that `bytes` begin with; nullopt when the prefix is not complete.
[[nodiscard]] std::optional<std::uint32_t> length_at(Bytes bytes) noexcept;

/// A length is unverified until this has returned. `remaining`: bytes after the prefix, where known.
/// Throws Error: limit, truncated.
void check_length(std::uint32_t length, std::size_t max_message_bytes, std::optional<std::uint64_t> remaining);

[[nodiscard]] Error truncated_payload(std::uint64_t present, std::uint32_t length);
[[nodiscard]] Error truncated_prefix(std::uint64_t present);
/// Damage::preallocated_tail, or Damage::empty_tail below `min_damage_zeros`.
[[nodiscard]] Error zero_tail(std::uint64_t count);
[[nodiscard]] Error zeros_between_frames(std::uint64_t count);
/// Damage::empty_message.
[[nodiscard]] Error empty_flatbuffer();

[[nodiscard]] std::size_t leading_zeros(Bytes bytes) noexcept;

}  // namespace ositrace::length_prefix
