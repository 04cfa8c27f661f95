// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/windowed_input.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/chunks_ahead.hpp"
#include "lib/mcap/mcap_attachment.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

/// What stands together in a file: the messages of a chunk, or some outside of chunks, and what became known in front of them.
struct McapBatch {
    std::vector<Frame> frames;
    std::vector<Channel> channels;  ///< new ones
    std::vector<MetadataRecord> metadata;
    std::vector<Attachment> attachments;
    std::optional<SkippedBytes> skipped;  ///< a damaged chunk in front of the frames
    std::string chunk_compression;        ///< of this chunk; empty: none here
    std::size_t bytes = 0;                ///< of memory that the frames keep

    [[nodiscard]] bool empty() const noexcept
    {
        return frames.empty() && channels.empty() && metadata.empty() && attachments.empty() && !skipped;
    }
};

/// Reads the records of an MCAP file in the order of the file, needing no seek. One thread at a time.
class McapReader {
public:
    /// Where bad frames are passed over, damaged records are too.
    McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options);
    /// A file that stays: attachments are not copied, chunks are unpacked on threads, and where bad frames are passed over, channels that
    /// damaged records declared are taken from the summary.
    McapReader(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options);

    /// False at the end or when a stop was requested; nothing is lost by a stop. Throws Error with file and byte.
    bool read(McapBatch& batch, const std::stop_token& stop);
    /// From now on chunks are begun before they are needed.
    void go_ahead() noexcept { goes_ahead_ = true; }
    /// Of the Header; known after the first read().
    [[nodiscard]] const std::string& profile() const noexcept { return profile_; }
    [[nodiscard]] const std::string& library() const noexcept { return library_; }
    [[nodiscard]] const ByteSource& source() const noexcept { return input_.source(); }

private:
    enum class Step { more, full, end, due };  // due: chunks that were begun come first
    McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options, std::unique_ptr<ChunksAhead> chunks, bool stays);
    Step next_step(McapBatch& batch, const std::stop_token& stop);
    Step take_begun(McapBatch& batch);
    Step begin_chunk(const mcap::RecordPrefix& prefix, const std::stop_token& stop);
    [[nodiscard]] bool must_wait(mcap::Opcode opcode) const noexcept;
    Step step(McapBatch& batch, const std::stop_token& stop);
    void check_prefix(const mcap::RecordPrefix& prefix, const std::stop_token& stop);
    mcap::RecordPrefix repaired(mcap::RecordPrefix prefix, const std::stop_token& stop);
    bool record_follows(std::uint64_t length, const std::stop_token& stop);
    std::optional<std::uint64_t> chunk_length_inside(const std::stop_token& stop);
    Step take_cut_chunk(Bytes bytes, const Error& problem, McapBatch& batch);
    bool pass_damage(McapBatch& batch, const std::stop_token& stop);
    bool goes_on_at(std::size_t place, const std::stop_token& stop);
    bool read_header(const std::stop_token& stop);
    bool read_magic(const std::stop_token& stop);
    Step at_end(std::size_t left) const;
    Step take_record(const mcap::RecordPrefix& prefix, McapBatch& batch, const std::stop_token& stop);
    void handle(const mcap::RawRecord& record, McapBatch& batch);
    void handle_chunk(const mcap::RawRecord& record, McapBatch& batch);
    UnpackedChunk unpack(const mcap::RawRecord& record, McapBatch& batch);
    void take_records(const UnpackedChunk& chunk, McapBatch& batch);
    [[nodiscard]] Error damaged_chunk(const Error& error, std::uint64_t offset, std::uint64_t frames_before, McapBatch& batch);
    void salvage(const mcap::RawRecord& record, const Error& problem, McapBatch& batch);
    void check_content(const mcap::RawRecord& record) const;
    void take_message(const mcap::RawRecord& record, std::uint64_t offset, const std::shared_ptr<const void>& owner, McapBatch& batch);
    void add_new_channels(McapBatch& batch);
    Step take_attachment(std::uint64_t length, McapBatch& batch, const std::stop_token& stop);
    Step pass_over(const std::stop_token& stop);
    Step drain(const std::stop_token& stop);
    [[nodiscard]] Error located(const Error& error, std::uint64_t offset) const;

    WindowedInput input_;
    std::unique_ptr<ChunksAhead> chunks_;  ///< null: chunks are unpacked here
    bool goes_ahead_ = false;
    McapChannels channels_;
    ChunkDecoder decoder_;
    std::size_t max_message_bytes_;
    std::size_t max_chunk_bytes_;
    bool skip_bad_frames_;
    IsWholeMessage is_whole_;  ///< null: a damaged chunk is passed over as a whole
    AttachmentTaker attachments_;
    bool begun_ = false;
    bool data_ended_ = false;
    bool footer_seen_ = false;
    std::exception_ptr failure_;  ///< of the last read(), for all that follow
    std::optional<Error> problem_;  ///< with the record at the position, to be passed over
    std::uint64_t record_offset_ = 0;  ///< of the record at hand
    bool searched_ = false;            ///< and it was found by pass_damage()
    std::string profile_;
    std::string library_;
    std::uint64_t frames_ = 0;
    std::size_t channels_given_ = 0;
    std::uint64_t to_pass_ = 0;         ///< bytes of a record that nobody wants
    std::uint64_t chunk_end_ = 0;       ///< of the last chunk
    std::size_t behind_chunk_ = 0;      ///< bytes that stood between the last two chunks
};

/// A message as a frame; `content` of its record. Throws Error (malformed, limit) with the offset in the content.
[[nodiscard]] Frame mcap_frame(Bytes content, const McapChannels& channels, std::size_t max_message_bytes);

/// MCAP's times are unsigned. Throws Error (limit) beyond int64.
[[nodiscard]] Nanoseconds mcap_time(std::uint64_t time, std::string_view field);

[[nodiscard]] MetadataRecord mcap_metadata(const mcap::Metadata& record);

/// Of records that are read as a whole, chunks and messages excepted.
inline constexpr std::uint64_t max_mcap_record_bytes = std::uint64_t{128} << 20;

}  // namespace ositrace
