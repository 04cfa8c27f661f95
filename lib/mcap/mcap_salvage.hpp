// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/batch_filler.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

/// Hands out what is whole of damaged chunks, and says of messages whether they are.
class McapSalvage {
public:
    /// `is_whole` may be null: then nothing is salvaged.
    McapSalvage(BatchFiller& filler, IsWholeMessage is_whole, const McapLimits& limits)
        : filler_(filler), is_whole_(std::move(is_whole)), limits_(limits)
    {
    }

    [[nodiscard]] bool wanted() const noexcept { return is_whole_ != nullptr; }
    /// `owner`: of the bytes of the record, which may be cut off. `problem`: what is wrong with it.
    void add_chunk(const mcap::RawRecord& record, const std::shared_ptr<const void>& owner, const Error& problem,
                   McapBatch& batch);
    /// A message outside of chunks, or in one that states none, has no checksum. `searched`: it was found by a search
    /// behind damage. Throws Error (malformed).
    void check_message(const mcap::RawRecord& record, bool searched) const;

private:
    BatchFiller& filler_;
    IsWholeMessage is_whole_;
    McapLimits limits_;
};

}  // namespace ositrace
