// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/file_writer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/record_output.hpp"

namespace ositrace::mcap {

namespace {

constexpr std::size_t crc_bytes = sizeof(std::uint32_t);

/// From here on a copy of a message costs more than a system call.
constexpr std::size_t large_message_bytes = std::size_t{64} << 10;

/// What a chunk's encoder gives: its CRC, then its compressed form. Uncompressed chunks are written from where they are.
class ChunkEncoder final : public BlockEncoder {
public:
    explicit ChunkEncoder(std::unique_ptr<BlockEncoder> compression) : compression_(std::move(compression)) {}

    void encode(Bytes block, ByteBuffer& out) override
    {
        if (compression_) compression_->encode(block, out);
        else out.clear(crc_bytes);
        std::array<std::byte, crc_bytes> crc;
        store_le32(crc.data(), crc32(block));
        out.prepend(crc);
    }

private:
    std::unique_ptr<BlockEncoder> compression_;
};

std::unique_ptr<BlockEncoder> chunk_encoder(const FileOptions& options)
{
    const auto& row = *options.compression;
    return std::make_unique<ChunkEncoder>(row.encoder ? row.encoder(options.level.value_or(row.default_level)) : nullptr);
}

}  // namespace

FileWriter::FileWriter(ByteSink& sink, const Header& header, const FileOptions& options)
    : sink_(sink), options_(options),
      pipeline_([this] { return chunk_encoder(options_); },
                [this](Bytes chunk, Bytes encoded) {
                    auto info = std::move(handed_over_.front());
                    handed_over_.pop_front();
                    const auto crc = load_le32(encoded.data());
                    put_chunk(std::move(info), chunk, {}, crc, encoded.subspan(crc_bytes));
                },
                // Without compression there is nothing to do that a thread would be worth.
                options.compression->encoder ? compression_threads(options.threads) : 0)
{
    scratch_.clear();
    append(scratch_, header);
    put(bytes_of(magic), scratch_.bytes());
}

ByteBuffer& FileWriter::block()
{
    auto& buffer = options_.parts.chunks ? pipeline_.block() : scratch_;
    if (!options_.parts.chunks || buffer.capacity() == 0) buffer.clear(options_.parts.chunks ? options_.chunk_bytes : 0);
    return buffer;
}

void FileWriter::write(const Schema& schema)
{
    ++statistics_.schema_count;
    append(repeated_schemas_, schema);
    append(block(), schema);
    if (!options_.parts.chunks) put(scratch_.bytes(), {});
}

void FileWriter::write(const Channel& channel)
{
    ++statistics_.channel_count;
    append(repeated_channels_, channel);
    append(block(), channel);
    if (!options_.parts.chunks) put(scratch_.bytes(), {});
}

void FileWriter::write(const Message& message)
{
    auto& chunk = block();
    count(message, chunk.size());
    append_front(chunk, message, message.data.size());
    if (!options_.parts.chunks) return put(chunk.bytes(), message.data);
    const bool full = chunk.size() + message.data.size() >= options_.chunk_bytes;
    if (full && !options_.compression->encoder && message.data.size() >= large_message_bytes) {
        const auto front_crc = crc32(chunk.bytes());
        const auto crc = crc32_joined(front_crc, crc32(message.data), message.data.size());
        put_chunk(std::exchange(open_, {}), chunk.bytes(), message.data, crc, {});
        return chunk.clear();
    }
    chunk.append(message.data);
    if (full) close_chunk();
}

void FileWriter::count(const Message& message, std::uint64_t offset)
{
    auto& all = statistics_;
    const auto time = message.log_time;
    all.message_start_time = all.message_count == 0 ? time : std::min(all.message_start_time, time);
    all.message_end_time = std::max(all.message_end_time, time);
    ++all.message_count;
    ++message_counts_[message.channel_id];
    if (!options_.parts.chunks) return;
    open_.start = open_.messages.empty() ? time : std::min(open_.start, time);
    open_.end = std::max(open_.end, time);
    auto& index = open_.messages[message.channel_id];
    index.channel_id = message.channel_id;
    index.records.emplace_back(time, offset);
}

void FileWriter::close_chunk()
{
    if (pipeline_.block().empty()) return;
    handed_over_.push_back(std::exchange(open_, {}));
    pipeline_.hand_over();
}

void FileWriter::drain()
{
    close_chunk();
    pipeline_.drain();
}

void FileWriter::flush()
{
    drain();
    sink_.flush();
}

// Uncompressed, the chunk is `front` and `back`; compressed, it is `encoded`.
void FileWriter::put_chunk(OpenChunk chunk, Bytes front, Bytes back, std::uint32_t crc, Bytes encoded)
{
    const bool compressed = options_.compression->encoder != nullptr;
    const auto size = front.size() + back.size();
    const auto stored = compressed ? encoded.size() : size;
    const auto name = options_.compression->mcap_name;
    scratch_.clear();
    append_front(scratch_, Chunk{chunk.start, chunk.end, size, crc, name, {}}, stored);
    ChunkIndex index{chunk.start, chunk.end, offset_, scratch_.size() + stored, {}, 0, name, stored, size};
    if (compressed) {
        put(scratch_.bytes(), encoded);
    } else if (back.empty()) {
        put(scratch_.bytes(), front, crc);
    } else {
        put(scratch_.bytes(), front);
        put({}, back);
    }
    if (options_.parts.message_index) put_message_indexes(chunk, index);
    append(chunk_indexes_, index);
    ++statistics_.chunk_count;
}

void FileWriter::put_message_indexes(const OpenChunk& chunk, ChunkIndex& index)
{
    scratch_.clear();
    for (const auto& [channel, messages] : chunk.messages) {
        index.message_index_offsets.emplace_back(channel, offset_ + scratch_.size());
        append(scratch_, messages);
    }
    index.message_index_length = scratch_.size();
    put(scratch_.bytes(), {});
}

void FileWriter::write(const Metadata& metadata)
{
    drain();
    scratch_.clear();
    append(scratch_, metadata);
    append(metadata_indexes_, MetadataIndex{offset_, scratch_.size(), metadata.name});
    put(scratch_.bytes(), {});
    ++statistics_.metadata_count;
}

void FileWriter::write(const Attachment& attachment, std::uint64_t data_bytes,
                       const std::function<void(const std::function<void(Bytes)>&)>& read)
{
    drain();
    scratch_.clear();
    append_front(scratch_, attachment, data_bytes);
    append(attachment_indexes_, AttachmentIndex{offset_, scratch_.size() + data_bytes + crc_bytes, attachment.log_time,
                                                attachment.create_time, data_bytes, attachment.name, attachment.media_type});
    auto crc = crc32(scratch_.bytes().subspan(record_prefix_bytes));
    put(scratch_.bytes(), {});
    std::uint64_t read_bytes = 0;
    read([&](Bytes piece) {
        read_bytes += piece.size();
        crc = crc32(piece, crc);
        put({}, piece);
    });
    if (read_bytes != data_bytes)
        throw Error(Cause::mismatch, "attachment '" + std::string(attachment.name) + "': found " + std::to_string(read_bytes) +
                                         " bytes, expected " + std::to_string(data_bytes));
    std::array<std::byte, crc_bytes> trailer;
    store_le32(trailer.data(), crc);
    put(trailer, {});
    ++statistics_.attachment_count;
}

void FileWriter::finish()
{
    drain();
    scratch_.clear();
    append(scratch_, DataEnd{crc_});
    put(scratch_.bytes(), {});
    put_summary();
}

void FileWriter::put_summary()
{
    const auto& parts = options_.parts;
    ByteBuffer statistics;
    statistics_.channel_message_counts.assign(message_counts_.begin(), message_counts_.end());
    append(statistics, statistics_);

    struct Group {
        bool wanted;
        Opcode opcode;
        const ByteBuffer& records;
    };
    const std::array groups{Group{parts.repeated_schemas, Opcode::schema, repeated_schemas_},
                            Group{parts.repeated_channels, Opcode::channel, repeated_channels_},
                            Group{parts.statistics, Opcode::statistics, statistics},
                            Group{parts.chunk_index, Opcode::chunk_index, chunk_indexes_},
                            Group{parts.attachment_index, Opcode::attachment_index, attachment_indexes_},
                            Group{parts.metadata_index, Opcode::metadata_index, metadata_indexes_}};
    ByteBuffer summary, offsets;
    for (const auto& group : groups) {
        if (!group.wanted || group.records.empty()) continue;
        append(offsets, SummaryOffset{group.opcode, offset_ + summary.size(), group.records.size()});
        summary.append(group.records.bytes());
    }
    Footer footer{summary.empty() ? 0 : offset_, 0, 0};
    if (parts.summary_offsets && !offsets.empty()) {
        footer.summary_offset_start = offset_ + summary.size();
        summary.append(offsets.bytes());
    }
    const auto footer_at = summary.size();
    append(summary, footer);
    footer.summary_crc = crc32(summary.bytes().first(summary.size() - crc_bytes));
    summary.resize(footer_at);
    append(summary, footer);
    put(summary.bytes(), bytes_of(magic));
}

void FileWriter::put(Bytes head, Bytes body, std::optional<std::uint32_t> body_crc)
{
    crc_ = crc32(head, crc_);
    crc_ = body_crc ? crc32_joined(crc_, *body_crc, body.size()) : crc32(body, crc_);
    offset_ += head.size() + body.size();
    sink_.write(head, body);
}

}  // namespace ositrace::mcap
