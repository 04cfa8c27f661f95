// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "formats/core/crc32.hpp"

namespace ositrace {

/// The CRC of a data section whose chunks are read apart from what is between them, and later. One thread at a time.
class DataCrc {
public:
    /// The next chunk that is read apart. `before`: the CRC of the bytes since the last one; nullopt: they were not
    /// read.
    void pass_chunk(std::uint64_t offset, std::uint64_t length, std::optional<std::uint32_t> before)
    {
        waiting_.push_back({length, before, offset - from_});
        from_ = offset + length;
    }
    /// The CRC of the first chunk that was passed and has none yet; nullopt: it is not known.
    void add_chunk(std::optional<std::uint32_t> crc)
    {
        const auto chunk = waiting_.front();
        waiting_.pop_front();
        if (crc_ && chunk.before && crc)
            crc_ = crc32_joined(crc32_joined(*crc_, *chunk.before, chunk.before_bytes), *crc, chunk.length);
        else
            crc_.reset();
    }
    /// Of all bytes up to `end`. `rest`: of those since the last chunk. nullopt: some are not known.
    [[nodiscard]] std::optional<std::uint32_t> up_to(std::uint64_t end, std::optional<std::uint32_t> rest) const
    {
        if (from_ == 0) return rest;
        return crc_ && rest ? std::optional(crc32_joined(*crc_, *rest, end - from_)) : std::nullopt;
    }

private:
    struct Chunk {
        std::uint64_t length = 0;
        std::optional<std::uint32_t> before;
        std::uint64_t before_bytes = 0;
    };

    std::deque<Chunk> waiting_;
    std::optional<std::uint32_t> crc_ = 0;  ///< up to the last chunk that has one
    std::uint64_t from_ = 0;                ///< the end of the last chunk
};

}  // namespace ositrace
