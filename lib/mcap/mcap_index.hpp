// SPDX-License-Identifier: MPL-2.0
// Where the messages of an MCAP file lie. Filled from the summary, or by a walk through the data section where there is
// none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/seekable_file.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

/// Messages that are read together: a chunk, or records one behind the other outside of chunks.
struct McapSegment {
    bool chunk = true;
    std::uint64_t offset = 0;    ///< of the first record in the file (of the Chunk record itself)
    std::uint64_t length = 0;    ///< of the records with their prefixes
    std::uint64_t unpacked = 0;  ///< bytes of a chunk's records as they are announced
    std::uint64_t start = 0;     ///< the earliest log time
    std::uint64_t end = 0;       ///< the latest log time
    std::uint64_t messages = 0;
    std::vector<std::pair<std::uint32_t, std::uint64_t>>
        counts;                      ///< messages by channel (place in the trace), ascending
    std::uint64_t index_offset = 0;  ///< of its MessageIndex records
    std::uint64_t index_length = 0;  ///< 0: it has none

    [[nodiscard]] std::uint64_t count_of(std::uint32_t channel) const noexcept;
};

struct McapIndex {
    explicit McapIndex(const OpenOptions& options) : channels(options) {}

    std::string profile;
    std::string library;
    std::string chunk_compression;
    McapChannels channels;
    std::optional<mcap::Statistics> statistics;  ///< of the summary
    std::vector<McapSegment> segments;           ///< in file order, not overlapping
    std::vector<MetadataRecord> metadata;
    std::vector<Attachment> attachments;
    std::uint64_t application_records = 0;
    std::optional<Error> damage;  ///< why nothing behind the segments is known
};

/// Cost: with a complete summary its length, else the file's. Throws Error (io, malformed ...) naming the file when not
/// even the beginning can be read.
[[nodiscard]] McapIndex read_mcap_index(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options);

}  // namespace ositrace
