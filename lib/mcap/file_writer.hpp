// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/byte_buffer.hpp>

#include "formats/mcap/records.hpp"
#include "lib/io/block_pipeline.hpp"
#include "lib/io/byte_sink.hpp"
#include "lib/mcap/chunk_compression.hpp"

namespace ositrace::mcap {

/// The parts of an MCAP file that may be left out.
struct Parts {
    bool chunks = true, message_index = true, statistics = true, repeated_schemas = true, repeated_channels = true;
    bool attachment_index = true, metadata_index = true, chunk_index = true, summary_offsets = true;
};

struct FileOptions {
    const ChunkCompressionRow* compression = &chunk_compressions().front();
    std::optional<int> level;
    std::size_t chunk_bytes = std::size_t{4} << 20;  ///< a chunk is closed when it holds this much
    unsigned threads = 1;                            ///< that compress, beside the writing one; 0 = one per core
    Parts parts;
};

/// Writes MCAP records in a valid order, with chunks, indexes, statistics and CRCs; what they mean is the caller's
/// business: ids of schemas and channels, unique topics, records before they are referred to. Bytes go out in order, so
/// a pipe will do. The output does not depend on the number of threads. Memory: that of the BlockPipeline, a chunk in
/// compressed form, and the indexes (24 bytes per message of a chunk that is not written yet, about 100 bytes per
/// chunk).
class FileWriter {
public:
    /// `sink` must outlive this. Writes magic and header.
    FileWriter(ByteSink& sink, const Header& header, const FileOptions& options);

    void write(const SchemaFields& schema);
    void write(const ChannelFields& channel);
    /// `owner`: keeps the message's data where it is. A large message is then not copied, but waits there to be
    /// compressed.
    void write(const Message& message, const std::shared_ptr<const void>& owner = nullptr);
    void write(const Metadata& metadata);
    /// `read` hands over exactly `data_bytes`, piece by piece; `data` and `crc` of the record are ignored.
    void write(const AttachmentFields& attachment, std::uint64_t data_bytes,
               const std::function<void(const std::function<void(Bytes)>&)>& read);
    /// Ends the chunk, and passes on what is compressed already; nothing is waited for.
    void hand_on();
    /// Ends the chunk and passes everything on: for a reader that waits at the end of a pipe.
    void flush();
    /// No schema, channel or message follows: writes what is left of them.
    void finish_chunks();
    /// Writes what is left, the summary and the footer.
    void finish();

private:
    struct ChunkContents {
        std::uint64_t bytes = 0;           ///< uncompressed
        std::uint64_t start = 0, end = 0;  ///< log times
        std::map<std::uint16_t, MessageIndex> messages;
    };
    /// A chunk whose pieces so far are all compressed.
    struct StoredChunk {
        std::uint32_t crc = 0;  ///< uncompressed
        std::vector<ByteBuffer> pieces;
    };

    [[nodiscard]] GatheredBytes& piece_with_room();
    void put_now_or_in_chunk(const auto& record);
    void add(Bytes data, const std::shared_ptr<const void>& owner, bool borrowed);
    void close_chunk();
    void drain();
    void count(const Message& message);
    void take_encoded(const GatheredBytes& piece, ByteBuffer& encoded);
    void put_chunk(const ChunkContents& contents, const GatheredBytes& last_piece);
    void put_message_indexes(const ChunkContents& chunk, ChunkIndex& index);
    void put_summary();
    void put(Bytes head, Bytes body);
    /// `crc`: of the parts together.
    void put_known(std::span<const Bytes> parts, std::uint32_t crc);

    ByteSink& sink_;
    FileOptions options_;
    std::uint64_t offset_ = 0;  ///< where the next byte goes
    std::uint32_t crc_ = 0;     ///< of everything so far
    ByteBuffer scratch_;

    ChunkContents open_;  ///< of the chunk that is being filled
    /// Pieces that are being compressed, oldest first; the last of a chunk has its contents.
    std::deque<std::optional<ChunkContents>> handed_over_;
    StoredChunk stored_;  ///< the oldest of the chunks that are being compressed
    std::vector<ByteBuffer> spare_;
    BlockPipeline pipeline_;

    ByteBuffer repeated_schemas_, repeated_channels_, chunk_indexes_, attachment_indexes_, metadata_indexes_;
    Statistics statistics_;
    std::map<std::uint16_t, std::uint64_t> message_counts_;
};

}  // namespace ositrace::mcap
