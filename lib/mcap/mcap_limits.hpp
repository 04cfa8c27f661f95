// SPDX-License-Identifier: MPL-2.0
// How long the records of an MCAP file may be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/mcap/record_parser.hpp"

namespace ositrace {

/// The error of a thing (`a message`) that is too long; --max-message raises the limits of messages and chunks.
[[nodiscard]] inline Error too_long(std::string_view what, std::uint64_t bytes, std::uint64_t limit)
{
    return {Cause::limit, std::string(what) + " of " + std::to_string(bytes) + " bytes" + exceeds_limit(bytes, limit)};
}

struct McapLimits {
    std::uint64_t message_bytes;  ///< of the data of a message
    std::uint64_t chunk_bytes;    ///< of the unpacked records of a chunk

    /// Of all other records, which are read as a whole.
    static constexpr std::uint64_t record_bytes = std::uint64_t{128} << 20;

    explicit McapLimits(std::size_t max_message_bytes) noexcept
        : message_bytes(max_message_bytes),
          chunk_bytes(std::max(max_message_bytes, default_max_message_bytes) + (std::size_t{64} << 20))
    {
    }

    /// Throws Error (limit) for a record whose content is too long to be read as a whole.
    void check(const mcap::RecordPrefix& prefix) const
    {
        const auto check_length = [&](const std::string& what, std::uint64_t front, std::uint64_t limit) {
            if (prefix.length > front + limit) throw too_long(what, prefix.length - front, limit);
        };
        if (prefix.opcode == mcap::Opcode::message)
            check_length("a message", mcap::message_front_bytes, message_bytes);
        else if (prefix.opcode == mcap::Opcode::chunk)
            check_length("a Chunk record", 0, chunk_bytes + record_bytes);
        else if (prefix.length > record_bytes)  // no option raises it
            throw Error(Cause::limit, "a record " + name_of(prefix.opcode) + " of " + std::to_string(prefix.length) +
                                          " bytes exceeds the limit of " + std::to_string(record_bytes) + " bytes");
    }
};

}  // namespace ositrace
