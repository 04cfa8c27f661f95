// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// What stands together in a file: the messages of a chunk, or some outside of chunks, and what became known in front
/// of them.
struct McapBatch {
    std::vector<Frame> frames;
    std::vector<Channel> channels;  ///< new ones
    std::vector<MetadataRecord> metadata;
    std::vector<Attachment> attachments;
    std::uint64_t application_records = 0;
    std::optional<SkippedBytes> skipped;  ///< a damaged chunk in front of the frames
    std::string chunk_compression;        ///< of this chunk; empty: none here
    std::size_t bytes = 0;                ///< of memory that the frames keep

    [[nodiscard]] bool empty() const noexcept
    {
        return frames.empty() && channels.empty() && metadata.empty() && attachments.empty() &&
               application_records == 0 && !skipped;
    }
};

}  // namespace ositrace
