// SPDX-License-Identifier: MPL-2.0
// The record syntax of `.osi` and `.osifb`: { u32 little-endian length, not counting itself; payload }, repeated,
// nothing else. Pure: bytes in, records out. Offsets in errors count from the record's length prefix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

namespace ositrace::length_prefix {

inline constexpr std::size_t prefix_bytes = 4;
/// This many zero bytes up to the end are what a preallocated file leaves, a block of a disk; fewer are empty messages
/// (and a truncated prefix).
inline constexpr std::uint64_t min_zero_tail_bytes = 512;

/// The length of the record that `bytes` begin with; nullopt when the prefix is not complete.
[[nodiscard]] std::optional<std::uint32_t> length_at(Bytes bytes) noexcept;

/// A length is unverified until this has returned. `remaining`: bytes behind the prefix, where known.
/// Throws Error: limit, truncated.
void check_length(std::uint32_t length, std::size_t max_message_bytes, std::optional<std::uint64_t> remaining);

[[nodiscard]] Error truncated_payload(std::uint64_t present, std::uint32_t length);
[[nodiscard]] Error truncated_prefix(std::uint64_t present);
[[nodiscard]] Error zero_tail(std::uint64_t count);

[[nodiscard]] std::size_t leading_zeros(Bytes bytes) noexcept;

/// Looks at `count` bytes at `offset`: fewer only where the input ends, none when `offset` is beyond it; nullopt = out
/// of reach.
using Peek = std::function<std::optional<Bytes>(std::uint64_t offset, std::size_t count)>;
/// Does a payload that begins with these bytes look like one of the stream? See plausible_start().
using PlausibleStart = std::function<bool(Bytes)>;

/// How many records behind a candidate must be plausible too.
inline constexpr int chain_records = 3;
/// How much of a payload is enough to judge its start.
inline constexpr std::size_t judged_bytes = 256;

/// Could a record begin at `offset`: it is not empty, within the limit, starts plausibly, and is followed by
/// `chain_records` more like it (empty ones are let pass) or by the end of the input. Links out of reach are believed
/// when one could be seen.
[[nodiscard]] bool could_begin_at(std::uint64_t offset, std::size_t max_message_bytes, const Peek& peek,
                                  const PlausibleStart& plausible);

}  // namespace ositrace::length_prefix
