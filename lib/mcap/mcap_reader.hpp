// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/trace.hpp>

#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/data_crc.hpp"
#include "lib/mcap/mcap_attachment.hpp"
#include "lib/mcap/mcap_channels.hpp"
#include "lib/mcap/mcap_repair.hpp"
#include "lib/mcap/record_cursor.hpp"
#include "lib/mcap/stated_messages.hpp"

namespace ositrace {

/// What is read together: the messages of a chunk, or some outside of chunks, and what was declared before them.
struct McapBatch {
    /// A Chunk record.
    struct Chunk {
        std::uint64_t offset = 0, length = 0;
        std::uint64_t unpacked = 0;  ///< bytes of its records, as announced
        bool known = false;          ///< it was passed over
    };

    std::vector<Frame> frames;
    std::vector<Channel> channels;  ///< new ones
    std::vector<MetadataRecord> metadata;
    std::vector<Attachment> attachments;
    std::uint64_t application_records = 0;
    std::vector<std::string> late_channel_keys;  ///< as in TraceInfo
    std::vector<SkippedBytes> skipped;           ///< damage before the frames
    std::optional<Chunk> chunk;                  ///< that the frames are from
    std::string chunk_compression;               ///< of this chunk; empty: there is none
    bool in_place = true;                        ///< the frames can be read again from where their records are
    std::uint64_t end = 0;                       ///< of the last record
    std::size_t bytes = 0;                       ///< of memory that the frames keep

    /// Empty, with the memory of `frames`, which has pages of its own for the messages of a chunk.
    void clear()
    {
        auto kept = std::move(frames);
        kept.clear();
        *this = {};
        frames = std::move(kept);
    }
    [[nodiscard]] bool empty() const noexcept
    {
        return frames.empty() && channels.empty() && metadata.empty() && attachments.empty() &&
               application_records == 0 && late_channel_keys.empty() && skipped.empty() && !(chunk && chunk->known);
    }
};

/// Moves what `from` holds to the end of `to`.
template <class T>
void append_moved(std::vector<T>& to, std::vector<T>& from)
{
    to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
}

/// Reads an MCAP file in the order of the file, without seeking, and decides what happens after damage: an Error ends
/// the reading, or with OpenOptions::skip_bad_frames it saves what is whole of damaged chunks and continues at the next
/// record. One thread at a time.
///
/// A chunk whose message indexes do not list its messages is damaged, and so is one with messages outside of the times
/// that it states, and a file whose Statistics record counts more messages than there are. The CRCs of chunks and of
/// the data section are verified; the chunks of a file are read on threads, apart from what is between them.
class McapReader {
public:
    McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options);
    /// A file that stays: attachments are not copied, chunks are unpacked ahead, and with skip_bad_frames schemas and
    /// channels whose records are damaged are taken from the summary.
    McapReader(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options);
    McapReader(const McapReader&) = delete;
    McapReader& operator=(const McapReader&) = delete;

    /// To index a file, before the first read(): messages outside of chunks come without their data.
    void read_fronts_only() noexcept;
    /// What was read of a chunk elsewhere.
    struct KnownChunk {
        std::uint64_t length = 0;  ///< of its record, with the prefix
        std::uint64_t messages = 0;
        std::optional<std::uint32_t> record_crc;            ///< nullopt: then that of the data section is not verified
        std::shared_ptr<const ChunkDeclarations> declared;  ///< null: unknown
    };
    /// Chunks that are known already are passed over: `at` returns the one at an offset.
    void pass_known_chunks(std::function<std::optional<KnownChunk>(std::uint64_t offset)> at)
    {
        known_at_ = std::move(at);
    }

    /// After all messages were read through an index: those outside of chunks are not read again.
    void check_only() noexcept;

    /// False at the end or when a stop was requested; a stop loses nothing. Throws Error with file and byte.
    bool read(McapBatch& batch, const std::stop_token& stop);
    /// From now on chunks are unpacked before they are needed.
    void go_ahead() noexcept { goes_ahead_ = true; }
    /// Of the Header; known after the first read().
    [[nodiscard]] const McapHeader& header() const noexcept { return header_; }
    [[nodiscard]] McapChannels& channels() noexcept { return channels_; }
    [[nodiscard]] const ByteSource& source() const noexcept { return cursor_.source(); }
    /// Frames that were read, and where the first record after them begins.
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
    [[nodiscard]] std::uint64_t position() noexcept { return cursor_.input().offset(); }

private:
    enum class Step : std::uint8_t { more, full, end, due };  // due: a chunk that was unpacked ahead comes first
    struct UnpackedChunk {
        McapBatch::Chunk place;
        std::string compression;
        bool has_crc = false;
        mcap::Chunk stated;  ///< see stated_by()
        std::optional<std::uint32_t> record_crc;
        std::uint64_t records_offset = 0;  ///< of its records in the file; 0: they are compressed
        ChunkBytes records;
        std::optional<Error> problem;  ///< then there are none
    };

    McapReader(RecordCursor cursor, const OpenOptions& options, std::shared_ptr<const RandomAccess> file);
    bool resync(McapBatch& batch, const std::stop_token& stop);
    Step step(McapBatch& batch, const std::stop_token& stop);
    Step read_next(McapBatch& batch, const std::stop_token& stop);
    Step read_record(McapBatch& batch, const std::stop_token& stop);
    Step read_message(McapBatch& batch, const std::stop_token& stop);
    Step read_attachment(McapBatch& batch, const std::stop_token& stop);
    Step read_summary_record(const std::stop_token& stop);
    Step finish(McapBatch& batch, const std::stop_token& stop);
    Step read_chunk(McapBatch& batch, const std::stop_token& stop);
    Step begin_chunk(const std::stop_token& stop);
    Step take_chunk(McapBatch& batch);
    Step unpack_here(McapBatch& batch, const std::stop_token& stop);
    void pass_checked(const std::stop_token& stop);
    void pass_apart();
    void begin_part(const Error& problem, McapBatch& batch);
    [[nodiscard]] bool ends_after_damaged_summary(const Error& error, McapBatch& batch, const std::stop_token& stop);
    void warn_of_summary(const Error& error);
    void compare_with_indexes(McapBatch& batch);
    void compare_with_statistics(bool moved, McapBatch& batch);
    [[nodiscard]] UnpackedChunk read_and_unpack(std::uint64_t offset, const mcap::RecordPrefix& prefix);
    [[nodiscard]] UnpackedChunk unpack(const mcap::RawRecord& record, const std::shared_ptr<const void>& owner);
    void add_chunk(const UnpackedChunk& chunk, McapBatch& batch);
    void save_chunk(const mcap::RawRecord& record, const Error& problem, McapBatch& batch);
    void add_frame(const mcap::RawRecord& record, std::uint64_t offset, const std::shared_ptr<const void>& owner,
                   McapBatch& batch);
    [[nodiscard]] bool confirms_messages() const noexcept;
    void apply(const Repair& repair, McapBatch& batch);
    void observe(const mcap::RawRecord& record, bool in_summary);
    void check_data_crc(const mcap::RawRecord& record, McapBatch& batch);
    void note_unknown();
    void pass_message(const mcap::RawRecord& record);
    [[nodiscard]] bool lose_undeclared(const mcap::RawRecord& record, std::uint64_t offset);
    void report_undeclared(McapBatch& batch);
    void report_restored(const Location& place, McapBatch& batch);
    void declare(mcap::Opcode opcode, Bytes content);
    void declare_or_lose(const mcap::RawRecord& record, std::uint64_t offset);
    void declare_stated();
    void add_new_channels(McapBatch& batch);
    void skip(std::uint64_t offset, std::uint64_t bytes, const Error& problem, McapBatch& batch, std::uint64_t kept);
    void report(const SkippedBytes& damage, McapBatch& batch);
    [[nodiscard]] std::uint64_t take_unconfirmed() noexcept;
    [[nodiscard]] Error chunk_problem(const Error& error, std::uint64_t offset) const;
    [[nodiscard]] Location frame_at(std::uint64_t offset) const;
    [[nodiscard]] Error unconfirmed_at(std::uint64_t offset) const;

    std::shared_ptr<const RandomAccess> file_;  ///< null: a pipe
    RecordCursor cursor_;
    McapLimits limits_;
    McapChannels channels_;
    McapRepair repair_;
    bool salvages_;  ///< it goes on after damage
    McapObserver* observer_;
    std::function<void(const Error&)> on_warning_;
    AttachmentTaker attachments_;
    std::function<std::optional<KnownChunk>(std::uint64_t)> known_at_;
    bool fronts_only_ = false;
    bool checks_only_ = false;
    bool goes_ahead_ = false;
    bool begun_ = false;
    McapHeader header_;
    std::uint64_t frames_ = 0;        ///< of all messages, in the order of the file
    std::uint64_t first_frame_ = 0;   ///< after the last file that ended
    std::size_t channels_given_ = 0;  ///< to batches
    bool damaged_ = false;            ///< the data section, so its CRC confirms nothing
    std::uint64_t summary_application_records_ = 0;
    bool summary_is_whole_ = true;   ///< no search was needed in it
    bool resumed_ = false;           ///< the data continue after DataEnd
    bool searched_ = false;          ///< the record was found by a search after damage
    std::uint64_t unconfirmed_ = 0;  ///< frames that no checksum confirms so far
    std::optional<Error> unknown_;   ///< warning of the last record, if the file goes on after it
    std::optional<Error> problem_;   ///< with the current record, to be passed over
    std::exception_ptr failure_;     ///< of the last read(), for all that follow
    std::uint64_t chunk_end_ = 0;    ///< of the last chunk
    std::size_t after_chunk_ = 0;    ///< bytes that were between the last two chunks
    std::uint64_t lost_frames_ = 0;  ///< reported so far
    UndeclaredChannels undeclared_;
    StatedMessages stated_messages_;
    DataCrc data_crc_;
    ChunkMessages chunk_messages_;                  ///< read of the current chunk
    bool wants_data_crc_ = true;                    ///< the file states one, or may
    std::optional<std::uint64_t> repaired_opcode_;  ///< offset of a record whose opcode is wrong
    std::optional<std::uint64_t> unpacked_here_;    ///< offset of a damaged chunk, which is read again
    std::vector<std::pair<mcap::Opcode, std::vector<std::byte>>> stated_;  ///< that only the summary declares
    std::optional<Error> summary_problem_;                                 ///< the first
    ChunkDecoder decoder_;
    std::optional<ChunkQueue<UnpackedChunk>> queue_;  // last: its threads use the decoder
};

}  // namespace ositrace
