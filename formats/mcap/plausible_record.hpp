// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <ositrace/bytes.hpp>

#include "formats/mcap/record_parser.hpp"

namespace ositrace::mcap {

/// How many bytes of a record plausible_record() checks.
inline constexpr std::size_t plausible_record_bytes = 64;

/// How likely a place in a damaged file is the start of a record of the data section.
enum class Likeness : std::uint8_t {
    none,
    weak,    ///< opcode and length fit: the record after it decides
    strong,  ///< lengths inside of it agree with its own
};

/// `front`: the first bytes, `plausible_record_bytes` or all that are there. `knows_channel`: was such an id declared?
[[nodiscard]] Likeness plausible_record(Bytes front, const std::function<bool(std::uint16_t)>& knows_channel);

/// Can these be opcode and length of a record of any kind?
[[nodiscard]] bool plausible_prefix(Bytes front) noexcept;

/// Does this look like a record of the summary (not a Schema or Channel, which are data, too)? `front`: of its content.
[[nodiscard]] bool plausible_summary(const RecordPrefix& prefix, Bytes content_front) noexcept;

/// Do the lengths in the first bytes of a Chunk agree with the length of its record?
[[nodiscard]] bool agrees(const RecordPrefix& prefix, Bytes content_front) noexcept;

}  // namespace ositrace::mcap
