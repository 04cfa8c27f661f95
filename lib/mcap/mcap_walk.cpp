// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_walk.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/mcap/mcap_attachment.hpp"
#include "lib/mcap/mcap_frame.hpp"
#include "lib/mcap/mcap_limits.hpp"
#include "lib/mcap/open_mcap.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

/// Messages outside of chunks that are read together.
constexpr std::uint64_t run_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t run_messages = 4096;

}  // namespace

void check_segment_length(std::uint64_t length, std::size_t max_message_bytes)
{
    const auto limit = std::uint64_t{max_chunk_bytes(max_message_bytes)} + max_mcap_record_bytes;
    if (length > limit)
        throw Error(Cause::limit, "a record of " + std::to_string(length) + " bytes exceeds the limit of " +
                                      std::to_string(limit) + " (--max-message raises it)");
}

McapWalk::McapWalk(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options,
                   std::map<std::uint64_t, McapSegment> known)
    : file_(file), options_(options), known_(std::move(known)), decoder_(max_chunk_bytes(options.max_message_bytes))
{
}

void McapWalk::run(McapIndex& index)
{
    index_ = &index;
    FileRecords records(*file_, mcap::magic.size(), file_->size());
    try {
        while (!ended_ && records.next()) {
            if (options_.stop.stop_requested()) throw Error(Cause::cancelled, {.file = file_->name()}, "cancelled");
            if (!visit(records)) close_run();
        }
        if (!ended_)
            throw Error(Cause::truncated, {.file = file_->name(), .offset = file_->size()},
                        "the file ends in its data section, expected a DataEnd record; the writer was interrupted");
        check_end(records.end());
    } catch (const Error& error) {
        if (error.cause() == Cause::io || error.cause() == Cause::cancelled) throw;
        // Errors that do not know the file count from the content of the record.
        auto offset = error.where().offset.value_or(records.offset());
        if (error.where().file.empty() && error.where().offset) offset += records.content_offset();
        const bool in_summary = data_ended_ && error.cause() == Cause::truncated;
        const auto reason =
            in_summary ? std::string("the file ends in its summary, the messages are complete") : error.reason();
        index.damage =
            Error(error.cause(),
                  {.file = file_->name(), .frame = messages_, .offset = offset, .field = error.where().field}, reason);
    }
    close_run();
}

void McapWalk::check_end(std::uint64_t offset)
{
    data_ended_ = true;
    std::array<std::byte, mcap::magic.size()> found{};
    read_exactly(*file_, offset, found);
    auto here = offset;
    try {
        mcap::check_closing_magic(found);
        here += found.size();
        mcap::check_nothing_behind(file_->size() - here);
    } catch (const Error& error) {
        throw error.within({.file = file_->name(), .offset = here});
    }
}

/// False: the record does not belong to a run of messages.
bool McapWalk::visit(FileRecords& records)
{
    if (data_ended_ && mcap::holds_data(records.opcode())) go_on_with_data(records);
    if (mcap::is_undefined(records.opcode())) ++index_->application_records;
    if (data_ended_ && records.opcode() != Opcode::footer) return false;
    switch (records.opcode()) {
    case Opcode::message: visit_message(records); return true;
    case Opcode::schema:
    case Opcode::channel: declare(records); return true;
    case Opcode::chunk:
        close_run();
        visit_chunk(records);
        return true;
    case Opcode::metadata:
        index_->metadata.push_back(mcap_metadata(mcap::parse_metadata(records.content(max_mcap_record_bytes))));
        return false;
    case Opcode::attachment:
        index_->attachments.push_back(attachment_in_file(file_, records.content_offset(), records.length()));
        return false;
    case Opcode::data_end:
        data_ended_ = true;
        data_end_ = records.end();
        return false;
    case Opcode::footer: ended_ = true; return false;
    default: return false;
    }
}

/// A DataEnd record does not end the data where they go on.
void McapWalk::go_on_with_data(const FileRecords& records)
try {
    mcap::check_behind_data_end(records.opcode());
} catch (const Error& error) {
    const auto problem = error.within({.file = file_->name(), .frame = messages_, .offset = records.offset()});
    if (!options_.skip_bad_frames) throw problem;
    if (options_.on_skip) options_.on_skip({messages_, records.offset(), 0, problem});
    declare_stated(records.offset());
    data_ended_ = false;
}

void McapWalk::declare(FileRecords& record)
{
    if (record.opcode() == Opcode::schema)
        index_->channels.add(mcap::parse_schema(record.content(max_mcap_record_bytes)));
    if (record.opcode() == Opcode::channel)
        index_->channels.add(mcap::parse_channel(record.content(max_mcap_record_bytes)));
}

/// What stands behind a DataEnd record, in front of more data, is no summary.
void McapWalk::declare_stated(std::uint64_t end)
{
    for (FileRecords records(*file_, data_end_, end); records.next();) try {
            declare(records);
        } catch (const Error& error) {
            if (error.cause() == Cause::io) throw;  // else it contradicts the data, which come first
        }
}

void McapWalk::visit_message(FileRecords& records)
{
    if (records.length() > std::uint64_t{options_.max_message_bytes} + mcap::message_front_bytes)
        throw Error(Cause::limit, "a message of " + std::to_string(records.length() - mcap::message_front_bytes) +
                                      " bytes exceeds the limit of " + std::to_string(options_.max_message_bytes) +
                                      " (--max-message raises it)");
    if (run_ && (run_->length >= run_bytes || run_->messages >= run_messages)) close_run();
    const auto message = mcap::parse_message(records.front(mcap::message_front_bytes));
    if (!run_) run_ = McapSegment{.chunk = false, .offset = records.offset(), .counts = {}};
    count(*run_, message);
    run_->length = records.end() - run_->offset;
}

void McapWalk::count(McapSegment& segment, const mcap::Message& message)
{
    const auto channel = index_->channels.place_of(message.channel_id);
    if (!channel)
        throw Error(Cause::malformed, "a message of the channel " + std::to_string(message.channel_id) +
                                          ", which was not declared before");
    segment.start = segment.messages == 0 ? message.log_time : std::min(segment.start, message.log_time);
    segment.end = std::max(segment.end, message.log_time);
    ++segment.messages;
    ++counts_[*channel];
}

void McapWalk::visit_chunk(FileRecords& records)
{
    if (const auto known = known_.find(records.offset()); known != known_.end()) {
        records.jump(known->second.offset + known->second.length);
        messages_ += known->second.messages;
        index_->segments.push_back(std::move(known->second));
        return;
    }
    McapSegment segment{.offset = records.offset(), .length = records.end() - records.offset(), .counts = {}};
    try {
        unpack_chunk(records, segment);
    } catch (const Error& error) {
        counts_.clear();
        const Error problem(
            error.cause(),
            {.file = file_->name(), .frame = messages_, .offset = records.offset(), .field = error.where().field},
            error.reason());
        if (!options_.skip_bad_frames || error.cause() == Cause::io) throw problem;
        if (options_.on_skip) options_.on_skip({messages_, records.offset(), segment.length, problem});
        return;
    }
    close(std::move(segment));
}

void McapWalk::unpack_chunk(FileRecords& records, McapSegment& segment)
{
    check_segment_length(segment.length, options_.max_message_bytes);
    auto block = pool_.take(static_cast<std::size_t>(std::max<std::uint64_t>(1, records.length())));
    const std::span<std::byte> bytes(block->data(), static_cast<std::size_t>(records.length()));
    read_exactly(*file_, records.content_offset(), bytes);
    const auto chunk = mcap::parse_chunk(bytes);
    note_chunk_compression(index_->chunk_compression, chunk_compression_name(chunk.compression));
    segment.unpacked = chunk.uncompressed_size;
    const auto unpacked = decoder_.decode(chunk, std::move(block));
    mcap::ChunkWalker walker(unpacked.bytes);
    for (mcap::RawRecord record; walker.next(record);) {
        switch (record.opcode) {
        case Opcode::schema: index_->channels.add(mcap::parse_schema(record.content)); break;
        case Opcode::channel: index_->channels.add(mcap::parse_channel(record.content)); break;
        default: count(segment, mcap::parse_message(record.content));
        }
    }
    index_->application_records += walker.application_records();
}

void McapWalk::close_run()
{
    if (run_) close(std::move(*run_));
    run_.reset();
}

void McapWalk::close(McapSegment segment)
{
    segment.counts.assign(counts_.begin(), counts_.end());
    counts_.clear();
    messages_ += segment.messages;
    if (segment.messages != 0) index_->segments.push_back(std::move(segment));
}

}  // namespace ositrace
