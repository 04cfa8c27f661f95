// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>

#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/buffer_pool.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/file_records.hpp"
#include "lib/mcap/mcap_index.hpp"

namespace ositrace {

/// Walks the data section of a file and notes what stands where. Chunks that are not known are unpacked and checked.
class McapWalk {
public:
    /// `known`: chunks by offset that need not be looked into.
    McapWalk(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options,
             std::map<std::uint64_t, McapSegment> known);

    /// Fills segments, channels, metadata and attachments of `index`; what breaks the walk becomes its damage.
    void run(McapIndex& index);

private:
    bool visit(FileRecords& records);
    void go_on_with_data(const FileRecords& records);
    void declare(FileRecords& record);
    void declare_stated(std::uint64_t end);
    void check_end(std::uint64_t offset);
    void visit_message(FileRecords& records);
    void visit_chunk(FileRecords& records);
    void unpack_chunk(FileRecords& records, McapSegment& segment);
    void count(McapSegment& segment, const mcap::Message& message);
    void close_run();
    void close(McapSegment segment);

    std::shared_ptr<const SeekableFile> file_;
    const OpenOptions& options_;
    std::map<std::uint64_t, McapSegment> known_;
    ChunkDecoder decoder_;
    BufferPool pool_;
    McapIndex* index_ = nullptr;
    std::optional<McapSegment> run_;                 ///< messages outside of chunks, up to here
    std::map<std::uint32_t, std::uint64_t> counts_;  ///< of the segment at hand
    std::uint64_t messages_ = 0;
    bool data_ended_ = false;
    std::uint64_t data_end_ = 0;  ///< behind the DataEnd record
    bool ended_ = false;
};

/// Throws Error (limit) when a segment is too long to be read in one piece.
void check_segment_length(std::uint64_t length, std::size_t max_message_bytes);

}  // namespace ositrace
