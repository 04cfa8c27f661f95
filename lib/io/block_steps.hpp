// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <ositrace/bytes.hpp>

#include "lib/io/decompressor.hpp"

namespace ositrace {

/// Feeds a decoder of blocks so that no call decodes behind a block that came out in it: what an error takes along is then the broken
/// block alone.
class BlockSteps {
public:
    /// `header_bytes`: of the next block, which decoders ask for together with a block.
    explicit BlockSteps(std::size_t header_bytes) noexcept : header_bytes_(header_bytes) {}

    /// `call(in, out)` decodes and returns what it took and made, and in `hint` how much the decoder asks for next.
    template <class Call>
    Decompressor::Step step(Bytes in, std::span<std::byte> out, Call&& call)
    {
        if (!drained_) {
            const auto rest = note(call(in.first(0), out, hint_), out.size());
            if (rest.made != 0) return rest;
        }
        const auto wanted = hint_ > header_bytes_ ? hint_ - header_bytes_ : std::max<std::size_t>(hint_, 1);
        return note(call(in.first(std::min(in.size(), wanted)), out, hint_), out.size());
    }

private:
    Decompressor::Step note(Decompressor::Step done, std::size_t room) noexcept
    {
        drained_ = done.made < room;
        return done;
    }

    std::size_t header_bytes_;
    std::size_t hint_ = 0;
    bool drained_ = true;
};

}  // namespace ositrace
