// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/mcap/record_parser.hpp"

namespace ositrace {

/// Of records that are read as a whole, chunks and messages excepted.
inline constexpr std::uint64_t max_mcap_record_bytes = std::uint64_t{128} << 20;

/// How long the records of a file may be.
struct McapLimits {
    std::size_t max_message_bytes;
    std::size_t max_chunk_bytes;  ///< unpacked

    /// Of a record's content.
    [[nodiscard]] std::uint64_t of(mcap::Opcode opcode) const noexcept
    {
        if (opcode == mcap::Opcode::chunk) return std::uint64_t{max_chunk_bytes} + max_mcap_record_bytes;
        if (opcode == mcap::Opcode::message) return std::uint64_t{max_message_bytes} + mcap::message_front_bytes;
        return max_mcap_record_bytes;
    }
};

}  // namespace ositrace
