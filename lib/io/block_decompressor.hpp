// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <ositrace/bytes.hpp>

#include "lib/io/decompressor.hpp"

namespace ositrace {

/// A format of blocks. By blocks, no call decodes behind a block that came out in it: what an error takes along is then
/// the broken block alone. The last byte of a block is given by itself, as a block that was stored comes out as far as
/// it was given, and the frame may end in an error (its length, a checksum) together with it.
class BlockDecompressor : public Decompressor {
public:
    Step decompress(Bytes in, std::span<std::byte> out) final
    {
        if (in.empty() && complete()) return {};
        if (!by_blocks_) return decode_noted(in, out);
        if (!drained_) {
            const auto rest = decode_noted(in.first(0), out);
            if (rest.made != 0) return rest;
        }
        const auto wanted = hint_ > header_bytes_ ? hint_ - header_bytes_ : hint_;
        const auto given = wanted > 1 ? wanted - 1 : 1;
        return decode_noted(in.first(std::min(in.size(), given)), out);
    }
    bool complete() const noexcept final { return begun_ && hint_ == 0; }

protected:
    /// `header_bytes`: of the next block, which decoders ask for together with a block.
    BlockDecompressor(bool by_blocks, std::size_t header_bytes) noexcept
        : by_blocks_(by_blocks), header_bytes_(header_bytes)
    {
    }

    /// `hint`: how much the decoder asks for next, 0 at an end.
    virtual Step decode(Bytes in, std::span<std::byte> out, std::size_t& hint) = 0;

private:
    Step decode_noted(Bytes in, std::span<std::byte> out)
    {
        std::size_t hint = 0;
        const auto done = decode(in, out, hint);
        hint_ = hint;
        begun_ = true;
        drained_ = done.made < out.size();
        return done;
    }

    bool by_blocks_;
    std::size_t header_bytes_;
    std::size_t hint_ = 0;
    bool begun_ = false;
    bool drained_ = true;
};

}  // namespace ositrace
