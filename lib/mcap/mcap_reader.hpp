// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/windowed_input.hpp"
#include "lib/mcap/chunks_ahead.hpp"
#include "lib/mcap/mcap_attachment.hpp"
#include "lib/mcap/mcap_batch.hpp"
#include "lib/mcap/mcap_header.hpp"
#include "lib/mcap/mcap_limits.hpp"
#include "lib/mcap/record_handler.hpp"
#include "lib/mcap/record_lengths.hpp"

namespace ositrace {

/// Reads the records of an MCAP file in the order of the file, needing no seek. One thread at a time.
/// Every chunk's CRC is checked. That of the data section is where all of its bytes pass by: of a pipe, of a file
/// without chunks, where bad frames are passed over. Chunks of a file are unpacked on threads, each with a CRC of its
/// own; to read what stands between them for a second CRC over the same messages would cost the skipping of indexes and
/// attachments. (`check` does it.)
class McapReader {
public:
    /// Where bad frames are passed over, damaged records are too.
    McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options);
    /// A file that stays: attachments are not copied, chunks are unpacked on threads, and where bad frames are passed
    /// over, channels that damaged records declared are taken from the summary.
    McapReader(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options);
    McapReader(const McapReader&) = delete;  // its parts know each other
    McapReader& operator=(const McapReader&) = delete;

    /// False at the end or when a stop was requested; nothing is lost by a stop. Throws Error with file and byte.
    bool read(McapBatch& batch, const std::stop_token& stop);
    /// From now on chunks are begun before they are needed.
    void go_ahead() noexcept { goes_ahead_ = true; }
    /// Of the Header; known after the first read().
    [[nodiscard]] const std::string& profile() const noexcept { return header_.profile; }
    [[nodiscard]] const std::string& library() const noexcept { return header_.library; }
    [[nodiscard]] const ByteSource& source() const noexcept { return input_.source(); }

private:
    enum class Step { more, full, end, due };  // due: chunks that were begun come first
    McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options, std::unique_ptr<ChunksAhead> chunks,
               bool stays);
    Step next_step(McapBatch& batch, const std::stop_token& stop);
    Step take_begun(McapBatch& batch);
    Step begin_chunk(const mcap::RecordPrefix& prefix, const std::stop_token& stop);
    [[nodiscard]] bool must_wait(mcap::Opcode opcode) const noexcept;
    Step step(McapBatch& batch, const std::stop_token& stop);
    bool pass_damage(McapBatch& batch, const std::stop_token& stop);
    bool begin(const std::stop_token& stop);
    Step at_end(std::size_t left) const;
    Step take_record(const mcap::RecordPrefix& stated, McapBatch& batch, const std::stop_token& stop);
    Step go_on_with_data(mcap::Opcode opcode, McapBatch& batch);
    Step take_footer(McapBatch& batch, const std::stop_token& stop);
    Step take_wanted(const mcap::RecordPrefix& prefix, McapBatch& batch, const std::stop_token& stop);
    Step take_stated(const mcap::RecordPrefix& prefix, const std::stop_token& stop);
    Step take_cut_chunk(Bytes bytes, const Error& problem, McapBatch& batch);
    Step take_attachment(std::uint64_t length, McapBatch& batch, const std::stop_token& stop);
    void check_length(const mcap::RecordPrefix& prefix, bool wanted, const std::stop_token& stop);
    void note_chunk(std::size_t record_bytes);
    Step pass_over(const std::stop_token& stop);
    Step drain(const std::stop_token& stop);
    [[nodiscard]] Location here() const;
    [[nodiscard]] Error located(const Error& error, std::uint64_t offset) const;

    WindowedInput input_;
    std::unique_ptr<ChunksAhead> chunks_;  ///< null: chunks are unpacked here
    bool goes_ahead_ = false;
    McapLimits limits_;
    bool skip_bad_frames_;
    RecordHandler records_;
    RecordLengths lengths_;
    AttachmentTaker attachments_;
    bool begun_ = false;
    bool data_ended_ = false;
    bool footer_seen_ = false;
    std::exception_ptr failure_;       ///< of the last read(), for all that follow
    std::optional<Error> problem_;     ///< with the record at the position, to be passed over
    std::uint64_t record_offset_ = 0;  ///< of the record at hand
    bool searched_ = false;            ///< and it was found by a search
    McapHeader header_;
    std::uint64_t to_pass_ = 0;     ///< bytes of a record that nobody wants
    std::uint64_t chunk_end_ = 0;   ///< of the last chunk
    std::size_t behind_chunk_ = 0;  ///< bytes that stood between the last two chunks
};

}  // namespace ositrace
