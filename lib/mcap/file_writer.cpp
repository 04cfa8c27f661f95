// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/file_writer.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/record_output.hpp"

namespace ositrace::mcap {

namespace {

constexpr std::size_t crc_bytes = sizeof(std::uint32_t);

/// From here on a copy of a message costs more than a part of its own.
constexpr std::size_t large_message_bytes = std::size_t{64} << 10;

/// A piece is full when it holds this much or more: the room for more, so that its memory does not move.
constexpr std::size_t room_after = large_message_bytes + 4096;

/// Enough for the time that a large chunk takes to be written.
constexpr unsigned pieces_in_flight = 40;

BlockPipeline::Limits limits_of(const FileOptions& options, unsigned threads)
{
    const auto piece_bytes = options.compression->piece_bytes;
    return {.slots = piece_bytes != 0 ? pieces_in_flight : 0,
            .own_bytes = piece_bytes != 0 ? (threads + 2) * piece_bytes : threads * options.chunk_bytes};
}

ByteBuffer take_last(std::vector<ByteBuffer>& buffers)
{
    if (buffers.empty()) return {};
    auto last = std::move(buffers.back());
    buffers.pop_back();
    return last;
}

}  // namespace

FileWriter::FileWriter(ByteSink& sink, const Header& header, const FileOptions& options)
    : sink_(sink),
      options_(options),
      pipeline_([row = options.compression,
                 level = options.level] { return row->encoder(level.value_or(row->default_level)); },
                [this](const GatheredBytes& piece, ByteBuffer& encoded) { take_encoded(piece, encoded); },
                // Without compression there is nothing to do that a thread would be worth.
                options.compression->compresses() ? compression_threads(options.threads) : 0,
                limits_of(options, compression_threads(options.threads)))
{
    scratch_.clear();
    append(scratch_, header);
    put(bytes_of(magic), scratch_.bytes());
}

// The last piece of a chunk is handed over by close_chunk(), so a full one waits until something follows.
GatheredBytes& FileWriter::piece_with_room()
{
    const auto piece_bytes = options_.compression->piece_bytes;
    if (piece_bytes != 0 && pipeline_.block().size() >= piece_bytes) {
        handed_over_.emplace_back();
        pipeline_.hand_over();
    }
    auto& piece = pipeline_.block();
    if (piece.own().capacity() == 0) piece.clear((piece_bytes != 0 ? piece_bytes : options_.chunk_bytes) + room_after);
    return piece;
}

void FileWriter::put_now_or_in_chunk(const auto& record)
{
    if (options_.parts.chunks) {
        auto& own = piece_with_room().own();
        const auto before = own.size();
        append(own, record);
        open_.bytes += own.size() - before;
        return;
    }
    scratch_.clear();
    append(scratch_, record);
    put(scratch_.bytes(), {});
}

void FileWriter::write(const SchemaFields& schema)
{
    ++statistics_.schema_count;
    append(repeated_schemas_, schema);
    put_now_or_in_chunk(schema);
}

void FileWriter::write(const ChannelFields& channel)
{
    ++statistics_.channel_count;
    append(repeated_channels_, channel);
    put_now_or_in_chunk(channel);
}

void FileWriter::write(const Message& message, const std::shared_ptr<const void>& owner)
{
    const auto& data = message.data;
    count(message);
    if (!options_.parts.chunks) {
        scratch_.clear();
        append_front(scratch_, message, data.size());
        return put(scratch_.bytes(), data);
    }
    auto& own = piece_with_room().own();
    const auto before = own.size();
    append_front(own, message, data.size());
    open_.bytes += own.size() - before + data.size();
    const bool full = open_.bytes >= options_.chunk_bytes;
    // Data that are not compressed are written before this returns.
    const bool stays = owner || (full && !options_.compression->compresses());
    add(data, owner, stays && data.size() >= large_message_bytes);
    if (full) close_chunk();
}

void FileWriter::add(Bytes data, const std::shared_ptr<const void>& owner, bool borrowed)
{
    const auto piece_bytes = options_.compression->piece_bytes;
    while (!data.empty()) {
        auto& piece = piece_with_room();
        const auto part = piece_bytes == 0 ? data : data.first(std::min(data.size(), piece_bytes - piece.size()));
        if (borrowed)
            piece.borrow(part, owner);
        else
            piece.own().append(part);
        data = data.subspan(part.size());
    }
}

void FileWriter::count(const Message& message)
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
    index.records.emplace_back(time, open_.bytes);
}

void FileWriter::close_chunk()
{
    if (open_.bytes == 0) return;
    handed_over_.emplace_back(std::exchange(open_, {}));
    pipeline_.hand_over();
}

void FileWriter::drain()
{
    close_chunk();
    pipeline_.drain();
}

void FileWriter::hand_on()
{
    close_chunk();
    pipeline_.pass_on_encoded();
    sink_.flush();
}

void FileWriter::flush()
{
    drain();
    sink_.flush();
}

void FileWriter::take_encoded(const GatheredBytes& piece, ByteBuffer& encoded)
{
    stored_.crc = crc32_joined(stored_.crc, PieceFront::of(encoded).crc, piece.size());
    if (options_.compression->compresses()) {
        stored_.pieces.push_back(std::move(encoded));
        encoded = take_last(spare_);
    }
    const auto contents = std::move(handed_over_.front());
    handed_over_.pop_front();
    if (!contents) return;
    put_chunk(*contents, piece);
    if (stored_.pieces.size() > pieces_in_flight) stored_.pieces.resize(pieces_in_flight);
    spare_.insert(spare_.end(), std::move_iterator(stored_.pieces.begin()), std::move_iterator(stored_.pieces.end()));
    stored_ = {};
}

void FileWriter::put_chunk(const ChunkContents& contents, const GatheredBytes& last_piece)
{
    const auto& row = *options_.compression;
    ByteBuffer begin, end;
    row.begin(begin, contents.bytes);
    row.end(end);
    auto stored = row.compresses() ? begin.size() + end.size() : contents.bytes;
    for (const auto& piece : stored_.pieces) stored += piece.size() - PieceFront::bytes;
    scratch_.clear();
    append_front(scratch_, Chunk{contents.start, contents.end, contents.bytes, stored_.crc, row.mcap_name, {}}, stored);
    ChunkIndex index{contents.start, contents.end, offset_,       scratch_.size() + stored, {}, 0,
                     row.mcap_name,  stored,       contents.bytes};
    put(scratch_.bytes(), begin.bytes());
    if (row.compresses()) {
        for (const auto& piece : stored_.pieces)
            put_known(std::array{piece.bytes().subspan(PieceFront::bytes)}, PieceFront::of(piece).stored_crc);
    } else {
        put_known(last_piece.parts(), stored_.crc);
    }
    put(end.bytes(), {});
    if (options_.parts.message_index) put_message_indexes(contents, index);
    append(chunk_indexes_, index);
    ++statistics_.chunk_count;
}

void FileWriter::put_message_indexes(const ChunkContents& chunk, ChunkIndex& index)
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

void FileWriter::write(const AttachmentFields& attachment, std::uint64_t data_bytes,
                       const std::function<void(const std::function<void(Bytes)>&)>& read)
{
    drain();
    scratch_.clear();
    append_front(scratch_, attachment, data_bytes);
    append(attachment_indexes_,
           AttachmentIndex{offset_, scratch_.size() + data_bytes + crc_bytes, attachment.log_time,
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
        throw Error(Cause::mismatch, "attachment '" + std::string(attachment.name) + "': found " +
                                         std::to_string(read_bytes) + " bytes, expected " + std::to_string(data_bytes));
    std::array<std::byte, crc_bytes> trailer;
    store_le32(trailer.data(), crc);
    put(trailer, {});
    ++statistics_.attachment_count;
}

void FileWriter::finish_chunks()
{
    close_chunk();
    pipeline_.finish();
}

void FileWriter::finish()
{
    finish_chunks();
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
    const auto start = offset_;
    ByteBuffer end;
    std::uint32_t crc = 0;  // of the summary
    for (const auto& group : groups) {
        if (!group.wanted || group.records.empty()) continue;
        if (parts.summary_offsets) append(end, SummaryOffset{group.opcode, offset_, group.records.size()});
        crc = crc32(group.records.bytes(), crc);
        put(group.records.bytes(), {});
    }
    Footer footer{start == offset_ ? 0 : start, end.empty() ? 0 : offset_, 0};
    const auto footer_at = end.size();
    append(end, footer);
    footer.summary_crc = crc32(end.bytes().first(end.size() - crc_bytes), crc);
    end.resize(footer_at);
    append(end, footer);
    put(end.bytes(), bytes_of(magic));
}

void FileWriter::put(Bytes head, Bytes body)
{
    crc_ = crc32(body, crc32(head, crc_));
    offset_ += head.size() + body.size();
    sink_.write(head, body);
}

void FileWriter::put_known(std::span<const Bytes> parts, std::uint32_t crc)
{
    std::size_t size = 0;
    for (const auto part : parts) {
        sink_.write(part);
        size += part.size();
    }
    crc_ = crc32_joined(crc_, crc, size);
    offset_ += size;
}

}  // namespace ositrace::mcap
