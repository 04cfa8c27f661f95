// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/random_access.hpp"
#include "lib/io/windowed_input.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

/// Profile and library of the Header record.
struct McapHeader {
    std::string profile, library;
};

/// `an unknown record of opcode 0x45 of 20 bytes was passed over`
[[nodiscard]] Error passed_over(mcap::Opcode opcode, std::uint64_t bytes);
/// `the length of a Chunk record is 20, expected 10, which leads to the next record`
[[nodiscard]] Error wrong_chunk_length(std::uint64_t stated, std::uint64_t right);

/// The records of an MCAP file, one after the other, from a pipe or a file. Everything that reads records uses it: it
/// alone decides how long a record may be and which record may follow which, and words the errors. The current record
/// stays at the position until pass(); a stop loses nothing, and the next call continues. One thread at a time. Errors
/// name file and byte.
class RecordCursor {
public:
    /// A whole file, from its first byte.
    RecordCursor(std::unique_ptr<ByteSource> source, const McapLimits& limits);
    /// A whole file that can be read again: go_back() works.
    RecordCursor(std::shared_ptr<const RandomAccess> file, const McapLimits& limits);
    /// The records in [begin, end) of a file, in any order.
    RecordCursor(std::shared_ptr<const RandomAccess> file, std::uint64_t begin, std::uint64_t end,
                 const McapLimits& limits);

    /// Does not read what is passed over, where the file allows it.
    void skip_unread() noexcept { skips_ = true; }
    /// Goes on after damage: corrects the length of a chunk that is wrong where the lengths inside of the chunk lead to
    /// a record, believes no record that ends the data but does not look like one, and reads what follows the end.
    void repair() noexcept { repairs_ = true; }

    /// Reads the magic and the Header, which begin a file; the Header is the current record. nullopt: a stop was
    /// requested.
    [[nodiscard]] std::optional<McapHeader> read_header(const std::stop_token& stop);

    /// Reads the front of the record at the position. False: the end, or a stop was requested. Throws Error
    /// (malformed, truncated): this is no record, it is longer than the file, or none of its kind belongs here.
    bool look(const std::stop_token& stop);
    [[nodiscard]] mcap::Opcode opcode() const noexcept { return prefix_.opcode; }
    [[nodiscard]] std::uint64_t length() const noexcept { return prefix_.length; }
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    [[nodiscard]] std::uint64_t content_offset() const noexcept { return offset_ + mcap::record_prefix_bytes; }
    [[nodiscard]] std::uint64_t end() const noexcept { return content_offset() + prefix_.length; }
    /// After DataEnd.
    [[nodiscard]] bool in_summary() const noexcept { return section_ == Section::summary; }
    /// No record follows.
    [[nodiscard]] bool at_end() const noexcept { return section_ == Section::end; }
    /// The length that the file states for this chunk, if it was corrected.
    [[nodiscard]] std::optional<std::uint64_t> wrong_length() const noexcept { return wrong_length_; }
    /// The first bytes of the content, or all of it. nullopt: a stop was requested.
    [[nodiscard]] std::optional<Bytes> front(std::size_t count, const std::stop_token& stop);
    /// The record; its content is valid as long as owner() is kept. `after`: bytes after it that may be read with it.
    /// nullopt: a stop was requested. Throws Error (limit; truncated: the file ends in it).
    [[nodiscard]] std::optional<mcap::RawRecord> record(const std::stop_token& stop, std::size_t after = 0);
    /// Does the file end in this record?
    [[nodiscard]] bool is_cut() const { return prefix_.length > bytes_left() - mcap::record_prefix_bytes; }
    /// What there is of a record in which the file ends.
    [[nodiscard]] mcap::RawRecord cut_record()
    {
        return {prefix_.opcode, offset_, input_->buffered().subspan(mcap::record_prefix_bytes)};
    }
    /// Keeps what record() returned in memory.
    [[nodiscard]] std::shared_ptr<const void> owner() noexcept { return input_->owner(); }
    /// Does another record follow this one, so that its length is right?
    [[nodiscard]] bool record_follows(const std::stop_token& stop) { return record_follows(prefix_.length, stop); }
    /// If no record follows this one, ends it before the first chunk, index or Footer inside. False:
    /// there is none, or the length is right.
    void shorten(const std::function<bool(std::uint16_t)>& knows_channel, const std::stop_token& stop);
    /// Do whole records fill the last `bytes` bytes of this one, so that its length covers them? With repair(), only
    /// one of them need begin there, if no record follows this one. Its fields end before these bytes.
    [[nodiscard]] bool covers_records(std::uint64_t bytes, const std::stop_token& stop);
    /// Its opcode or its length is wrong: it is this record.
    void take_as(const mcap::RecordPrefix& right) noexcept { prefix_ = right; }
    /// Does a record of this opcode and content length begin at `offset` of the file?
    [[nodiscard]] bool is_at(std::uint64_t offset, const mcap::RecordPrefix& prefix) const;
    /// Throws the Error of the next record if that cannot be one: then search() begins inside this record, whose length
    /// may be wrong.
    void check_next(const std::stop_token& stop);
    /// Steps over the record.
    void pass();
    /// The same of a record that is read elsewhere: crc() begins anew after it.
    void pass_apart();
    /// Of a record whose front was consumed from input(): steps over `left` more bytes.
    void pass_rest(std::uint64_t left) noexcept { left_ = left; }
    /// Is the record at the position in memory, and a message?
    [[nodiscard]] bool has_message() const noexcept;

    /// After damage: moves to the next place where a record could begin, or to the end of the file. False: a stop was
    /// requested.
    bool search(const std::function<bool(std::uint16_t)>& knows_channel, const std::stop_token& stop);
    /// The next record begins here for sure: damage in it is that of the record at `offset`.
    void go_back(std::uint64_t offset);
    /// The first byte that was lost before the place that search() found.
    [[nodiscard]] std::uint64_t lost_from() const noexcept
    {
        return next_is_bad_ && input_->offset() >= end() ? end() : offset_;
    }
    /// The data continue after DataEnd.
    void resume_data() noexcept;
    /// look() threw because the summary begins here, without a DataEnd record before it.
    [[nodiscard]] bool lacks_data_end() const noexcept { return lacks_data_end_; }
    /// It does, so look() returns its first record.
    void begin_summary() noexcept;
    /// After damage in the summary: passes over the rest of the input. Does it end with a Footer that states where this
    /// summary begins?
    [[nodiscard]] bool skip_to_footer(const std::stop_token& stop);
    /// No record follows.
    void stop_here() noexcept { section_ = Section::end; }
    /// look() threw because another MCAP file follows.
    [[nodiscard]] bool begins_again() const noexcept { return begins_again_; }
    /// Bytes follow the end, which are no MCAP file.
    [[nodiscard]] bool goes_on_after_end() const noexcept { return goes_on_after_end_; }
    /// It does, so read_header() reads its front.
    void begin_again() noexcept;
    /// Where the file begins that is being read: 0, or after another one.
    [[nodiscard]] std::uint64_t first() const noexcept { return first_; }

    /// The CRC of all that was passed: in the data section from the first byte of the file on or from the last record
    /// that was passed apart, then from DataEnd on. nullopt: something was skipped, or drop_crc() was called.
    [[nodiscard]] std::optional<std::uint32_t> crc() const noexcept { return input_->crc(); }
    void drop_crc() noexcept { input_->drop_crc(); }
    /// Where the summary begins.
    [[nodiscard]] std::uint64_t data_end() const noexcept { return data_end_; }

    [[nodiscard]] WindowedInput& input() noexcept { return *input_; }
    [[nodiscard]] const ByteSource& source() const noexcept { return input_->source(); }
    [[nodiscard]] Location here() const { return {.file = source().name(), .offset = offset_}; }

private:
    enum class Section : std::uint8_t { data, summary, end };

    bool pass_left(const std::stop_token& stop);
    void consume(std::size_t count);
    bool read_to_end(const std::stop_token& stop);
    bool check_footer(const std::stop_token& stop);
    void check_record(const std::stop_token& stop);
    void repair_length(const std::stop_token& stop);
    void check_chunk_end(Bytes front, const std::stop_token& stop);
    [[nodiscard]] bool ends_file(const std::stop_token& stop);
    [[nodiscard]] bool could_be_summary(const std::stop_token& stop);
    [[nodiscard]] std::uint64_t bytes_left() const;
    [[nodiscard]] Error truncated(std::size_t left) const;
    [[nodiscard]] Error cut_off(const mcap::RecordPrefix& prefix, std::uint64_t left) const;
    [[nodiscard]] bool record_follows(std::uint64_t length, const std::stop_token& stop);
    [[nodiscard]] bool could_begin(std::size_t place, const std::function<bool(std::uint16_t)>& knows_channel,
                                   const std::stop_token& stop);

    std::shared_ptr<const RandomAccess> file_;  ///< null: a pipe
    std::optional<WindowedInput> input_;
    McapLimits limits_;
    std::optional<std::uint64_t> range_end_;  ///< of a part of a file
    bool skips_ = false;
    bool repairs_ = false;
    bool expects_data_end_ = true;
    bool lacks_data_end_ = false;
    bool next_is_bad_ = false;
    bool begins_again_ = false;
    bool goes_on_after_end_ = false;
    bool begins_crc_ = false;  ///< after the record that is being passed
    Section section_ = Section::data;
    mcap::RecordPrefix prefix_;
    std::uint64_t offset_ = 0;
    std::optional<std::uint64_t> wrong_length_;
    std::uint64_t left_ = 0;  ///< bytes at the position that belong to the last record
    std::uint64_t data_end_ = 0;
    std::uint64_t first_ = 0;
    std::vector<std::byte> tail_;            ///< the last bytes of the summary that were passed
    std::optional<std::uint64_t> magic_at_;  ///< the first one in the summary
};

}  // namespace ositrace
