// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/mcap_batch.hpp"
#include "lib/mcap/mcap_channels.hpp"
#include "lib/mcap/unpacked_chunk.hpp"

namespace ositrace {

/// Makes frames of messages: knows the channels that were declared so far, and counts. One thread at a time.
class BatchFiller {
public:
    explicit BatchFiller(const OpenOptions& options) : channels_(options), max_message_bytes_(options.max_message_bytes)
    {
    }

    /// Declared so far.
    [[nodiscard]] McapChannels& channels() noexcept { return channels_; }
    [[nodiscard]] const McapChannels& channels() const noexcept { return channels_; }
    /// Of all messages, in the order of the file.
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }

    /// `offset`: of its record in the file. `owner`: of its bytes. Throws Error (malformed, limit) with the offset in
    /// the content.
    void add_message(const mcap::RawRecord& record, std::uint64_t offset, const std::shared_ptr<const void>& owner,
                     McapBatch& batch);
    /// All of its messages; where it or `check`, which is asked about each and may be empty, throws Error, none.
    void add_chunk(const UnpackedChunk& chunk, McapBatch& batch,
                   const std::function<void(const mcap::RawRecord&)>& check = {});
    /// The channels that were declared since the last time.
    void add_new_channels(McapBatch& batch);

private:
    void add_records(const UnpackedChunk& chunk, McapBatch& batch,
                     const std::function<void(const mcap::RawRecord&)>& check);

    McapChannels channels_;
    std::size_t max_message_bytes_;
    std::uint64_t frames_ = 0;
    std::size_t channels_given_ = 0;
};

}  // namespace ositrace
