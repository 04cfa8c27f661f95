// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_index.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/plausible_record.hpp"
#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/mcap_attachment.hpp"
#include "lib/mcap/message_judge.hpp"
#include "lib/mcap/open_mcap.hpp"
#include "lib/mcap/record_cursor.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

/// 100 bytes for a chunk: the summary of ten million chunks.
constexpr std::uint64_t max_summary_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t tail_bytes = record_prefix_bytes + mcap::footer_bytes + mcap::magic.size();

/// A summary that contradicts itself or the file: then the file is walked.
[[noreturn]] void distrust(std::string_view why) { throw Error(Cause::malformed, why); }

RecordCursor records_in(const std::shared_ptr<const RandomAccess>& file, std::uint64_t begin, std::uint64_t end)
{
    return {file, begin, end, McapLimits(default_max_message_bytes)};
}

/// Records that an index points to, each once.
class Places {
public:
    /// Up to here the data section goes.
    void end_at(std::uint64_t end) noexcept { end_ = end; }
    void add(std::uint64_t offset, std::uint64_t length)
    {
        if (offset < mcap::magic.size() || length < record_prefix_bytes || offset > end_ || length > end_ - offset)
            distrust("an index points outside of the data section");
        places_.emplace_back(offset, length);
    }
    /// With overlapping places a small file could pretend to be a huge one.
    void check()
    {
        std::sort(places_.begin(), places_.end());
        for (std::size_t i = 1; i < places_.size(); ++i)
            if (places_[i].first - places_[i - 1].first < places_[i - 1].second)
                distrust("records that indexes point to overlap");
    }
    /// Are these, which were checked, all places with data? Reads what is between them, which is nothing in most files.
    [[nodiscard]] bool are_all(const std::shared_ptr<const RandomAccess>& file)
    {
        std::uint64_t from = mcap::magic.size();
        for (const auto& [offset, length] : places_) {
            if (holds_data(file, from, offset)) return false;
            from = offset + length;
        }
        return !holds_data(file, from, end_);
    }

    /// Between them; known if they are all.
    [[nodiscard]] std::uint64_t application_records() const noexcept { return application_records_; }

private:
    [[nodiscard]] bool holds_data(const std::shared_ptr<const RandomAccess>& file, std::uint64_t from, std::uint64_t to)
    {
        if (from == to) return false;
        for (auto records = records_in(file, from, to); records.look({}); records.pass()) {
            if (mcap::holds_data(records.opcode()) || mcap::is_reserved(records.opcode())) return true;
            application_records_ += mcap::is_undefined(records.opcode()) ? 1 : 0;
        }
        return false;
    }

    std::uint64_t end_ = 0;
    std::uint64_t application_records_ = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;
};

struct SummaryBytes {
    std::vector<std::byte> bytes;
    std::uint64_t start = 0;  ///< in the file; 0: there is no summary
};

/// The Footer at the end of a file.
struct Tail {
    std::array<std::byte, tail_bytes> bytes;
    mcap::Footer footer;
    std::uint64_t offset = 0;
};

/// nullopt: the file does not end with one.
std::optional<Tail> tail_of(const RandomAccess& file)
{
    const auto size = file.size();
    if (size < mcap::magic.size() + tail_bytes) return std::nullopt;
    Tail tail{{}, {}, size - tail_bytes};
    read_exactly(file, tail.offset, tail.bytes);
    const auto [opcode, length] = mcap::prefix_at(tail.bytes);
    if (text_of(Bytes(tail.bytes).last(mcap::magic.size())) != mcap::magic || opcode != Opcode::footer ||
        length != mcap::footer_bytes)
        return std::nullopt;
    tail.footer = mcap::parse_footer(Bytes(tail.bytes).subspan(record_prefix_bytes, mcap::footer_bytes));
    return tail;
}

/// Throws Error where the Footer leads to none, or its checksum is wrong.
SummaryBytes summary_bytes(const RandomAccess& file)
{
    SummaryBytes summary;
    const auto tail = tail_of(file);
    if (!tail || tail->footer.summary_start == 0) return summary;
    const auto& footer = tail->footer;
    const auto end = tail->offset;
    if (footer.summary_start < mcap::magic.size() || footer.summary_start > end ||
        end - footer.summary_start > max_summary_bytes)
        distrust("the Footer points outside of the file");
    summary.bytes.resize(static_cast<std::size_t>(end - footer.summary_start));
    read_exactly(file, footer.summary_start, summary.bytes);
    const auto crc =
        crc32(Bytes(tail->bytes).first(record_prefix_bytes + mcap::footer_bytes - sizeof footer.summary_crc),
              crc32(summary.bytes));
    if (footer.summary_crc != 0 && footer.summary_crc != crc) distrust("the summary is damaged");
    summary.start = footer.summary_start;
    return summary;
}

class SummaryReader {
public:
    SummaryReader(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options)
        : file_(file), on_warning_(options.on_warning), summary_{McapIndex(options), false, {}}
    {
    }

    std::optional<McapSummary> run()
    try {
        const auto summary = summary_bytes(*file_);
        if (summary.start == 0) return std::nullopt;
        places_.end_at(summary.start);
        summary_start_ = summary.start;
        read_records(summary.bytes);
        find_schemas();
        add_channels();
        take_chunks();
        decide();
        return std::move(summary_);
    } catch (const Error& error) {
        if (error.cause() == Cause::io) throw;
        if (on_warning_)
            on_warning_(Error(error.cause(), {.file = file_->name()},
                              "the summary cannot be used (" + std::string(error.reason()) +
                                  "), so the file is read from its beginning",
                              Damage::chunk_index));
        return std::nullopt;
    }

private:
    void read_records(Bytes bytes)
    {
        mcap::RecordWalker walker(bytes);
        for (mcap::RawRecord record; walker.next(record);) {
            check_covers_no_records(record);
            switch (record.opcode) {
            case Opcode::schema: summary_.index.channels.add(mcap::parse_schema(record.content)); break;
            case Opcode::channel: channels_.push_back(mcap::parse_channel(record.content)); break;
            case Opcode::statistics: summary_.index.statistics = mcap::parse_statistics(record.content); break;
            case Opcode::chunk_index: chunks_.push_back(mcap::parse_chunk_index(record.content)); break;
            case Opcode::attachment_index: attachments_.push_back(mcap::parse_attachment_index(record.content)); break;
            case Opcode::metadata_index: metadata_.push_back(mcap::parse_metadata_index(record.content)); break;
            default:
                mcap::check_after_data_end(record.opcode);
                summary_.index.application_records += mcap::is_undefined(record.opcode) ? 1 : 0;
                if (mcap::is_reserved(record.opcode) && on_warning_)
                    on_warning_(passed_over(record.opcode, record.content.size())
                                    .within({.file = file_->name(), .offset = summary_start_ + record.offset}));
            }
        }
    }

    void add_channels()
    {
        // Of a file with messages that the index does not know, the walk finds the schema.
        for (const auto& channel : channels_)
            if (!has_loose_messages_ || !missing_.contains(channel.schema_id)) summary_.index.channels.add(channel);
        if (has_loose_messages_) all_indexed_ = false;
    }

    /// A writer need not repeat the schemas in the summary: then they are in the data section, before their channels.
    void find_schemas()
    {
        for (const auto& channel : channels_)
            if (channel.schema_id != 0 && !summary_.index.channels.schemas().contains(channel.schema_id))
                missing_.insert(channel.schema_id);
        if (missing_.empty()) return;
        std::sort(chunks_.begin(), chunks_.end(),
                  [](const auto& a, const auto& b) { return a.chunk_start_offset < b.chunk_start_offset; });
        std::uint64_t from = mcap::magic.size();
        for (const auto& chunk : chunks_) {
            const auto offset = chunk.chunk_start_offset, length = chunk.chunk_length;
            if (offset < from || offset > summary_start_ || length > summary_start_ - offset) return;
            if (!take_schemas(from, offset) || !take_schemas_of_chunk(offset, length)) return;
            from = offset + length;
        }
        static_cast<void>(take_schemas(from, summary_start_));
    }

    bool take_schema(const mcap::RawRecord& record)
    {
        const auto schema = mcap::parse_schema(record.content);
        if (missing_.erase(schema.id) != 0) summary_.index.channels.add(schema);
        return !missing_.empty();
    }

    /// False: none is missing any longer, or messages follow that the index does not know.
    bool take_schemas(std::uint64_t from, std::uint64_t to)
    {
        if (from == to) return true;
        for (auto records = records_in(file_, from, to); records.look({}); records.pass()) {
            has_loose_messages_ = records.opcode() == Opcode::message || records.opcode() == Opcode::chunk;
            if (has_loose_messages_) return false;
            if (records.opcode() == Opcode::schema && !take_schema(*records.record({}))) return false;
        }
        return true;
    }

    bool take_schemas_of_chunk(std::uint64_t offset, std::uint64_t length)
    {
        auto records = records_in(file_, offset, offset + length);
        if (!records.look({}) || records.opcode() != Opcode::chunk) return false;
        ChunkDecoder decoder(McapLimits(default_max_message_bytes).chunk_bytes);
        const auto unpacked = decoder.decode(mcap::parse_chunk(records.record({})->content), records.owner());
        mcap::ChunkWalker walker(unpacked.bytes);
        for (mcap::RawRecord record; walker.next(record);)
            if (record.opcode == Opcode::schema && !take_schema(record)) return false;
        return true;
    }

    void take_chunks()
    {
        std::sort(chunks_.begin(), chunks_.end(),
                  [](const auto& a, const auto& b) { return a.chunk_start_offset < b.chunk_start_offset; });
        for (const auto& chunk : chunks_) {
            places_.add(chunk.chunk_start_offset, chunk.chunk_length);
            if (chunk.message_index_length != 0)
                places_.add(chunk.chunk_start_offset + chunk.chunk_length, chunk.message_index_length);
        }
        places_.check();
        states_no_times_ = std::ranges::none_of(chunks_, &mcap::ChunkIndex::message_end_time) &&
                           summary_.index.statistics && summary_.index.statistics->message_end_time != 0;
        bool counted = true;
        for (const auto& chunk : chunks_) {
            note_chunk_compression(summary_.index.chunk_compression, chunk_compression_name(chunk.compression));
            auto segment = segment_of(chunk);
            if (segment.index_length == 0) {
                all_indexed_ = all_indexed_ && is_empty(chunk);
                continue;  // the walk looks into it
            }
            counted = counts_from_offsets(chunk, segment) && counted;
            summary_.index.segments.push_back(std::move(segment));
        }
        if (counted && counts_agree()) return;
        for (auto& segment : summary_.index.segments) counts_from_records(segment);
    }

    /// By its index and by its own front.
    [[nodiscard]] bool is_empty(const mcap::ChunkIndex& chunk) const
    {
        if (chunk.uncompressed_size != 0) return false;
        auto records = records_in(file_, chunk.chunk_start_offset, chunk.chunk_start_offset + chunk.chunk_length);
        return records.look({}) && records.opcode() == Opcode::chunk &&
               mcap::chunk_unpacked_bytes(*records.front(mcap::plausible_record_bytes, {})) == 0;
    }

    McapSegment segment_of(const mcap::ChunkIndex& chunk)
    {
        McapSegment segment;
        segment.offset = chunk.chunk_start_offset;
        segment.length = chunk.chunk_length;
        segment.unpacked = chunk.uncompressed_size;
        segment.start = chunk.message_start_time;
        segment.end = chunk.message_end_time;
        if (segment.end < segment.start) distrust("a chunk ends before it begins");
        if (states_no_times_) return segment;
        // A message takes more bytes in its chunk than in the index.
        const auto most = chunk.uncompressed_size + 64 * (chunk.message_index_offsets.size() + 1);
        if (chunk.message_index_offsets.empty() || chunk.message_index_length > most) return segment;
        segment.index_offset = segment.offset + segment.length;
        segment.index_length = chunk.message_index_length;
        return segment;
    }

    /// The MessageIndex records follow each other, so their lengths give the number of messages, without reading them.
    bool counts_from_offsets(const mcap::ChunkIndex& chunk, McapSegment& segment) const
    {
        constexpr auto front = record_prefix_bytes + mcap::message_index_front_bytes;
        auto offsets = chunk.message_index_offsets;
        std::sort(offsets.begin(), offsets.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        std::vector<std::pair<std::uint16_t, std::uint64_t>> by_id;
        auto next = segment.index_offset + segment.index_length;
        for (auto each = offsets.rbegin(); each != offsets.rend(); ++each) {
            const auto& [id, offset] = *each;
            if (offset < segment.index_offset || offset > next || next - offset < front ||
                (next - offset - front) % mcap::message_index_entry_bytes != 0)
                return false;
            by_id.emplace_back(id, (next - offset - front) / mcap::message_index_entry_bytes);
            next = offset;
        }
        set_counts(segment, std::move(by_id));
        return next == segment.index_offset;
    }

    void counts_from_records(McapSegment& segment)
    {
        std::vector<std::pair<std::uint16_t, std::uint64_t>> by_id;
        auto records = records_in(file_, segment.index_offset, segment.index_offset + segment.index_length);
        for (; records.look({}); records.pass()) {
            summary_.index.application_records += mcap::is_undefined(records.opcode()) ? 1 : 0;
            if (records.opcode() != Opcode::message_index) continue;
            const auto front = *records.front(mcap::message_index_front_bytes, {});
            if (front.size() < mcap::message_index_front_bytes) distrust("a MessageIndex record is too short");
            by_id.emplace_back(load<std::uint16_t>(front.data()),
                               load_le32(front.data() + 2) / mcap::message_index_entry_bytes);
        }
        set_counts(segment, std::move(by_id));
    }

    void set_counts(McapSegment& segment, std::vector<std::pair<std::uint16_t, std::uint64_t>> by_id) const
    {
        std::map<std::uint32_t, std::uint64_t> counts;
        segment.messages = 0;
        for (const auto& [id, count] : by_id) {
            if (count == 0) continue;
            const auto place = summary_.index.channels.place_of(id);
            if (!place) distrust("a channel is missing in the summary");
            counts[*place] += count;
            segment.messages += count;
        }
        segment.counts.assign(counts.begin(), counts.end());
    }

    [[nodiscard]] bool counts_agree() const
    {
        if (!summary_.index.statistics) return false;
        std::map<std::uint32_t, std::uint64_t> counts;
        std::uint64_t messages = 0;
        for (const auto& segment : summary_.index.segments) {
            messages += segment.messages;
            for (const auto& [channel, count] : segment.counts) counts[channel] += count;
        }
        if (messages != summary_.index.statistics->message_count) return false;
        for (const auto& [id, count] : summary_.index.statistics->channel_message_counts) {
            const auto place = summary_.index.channels.place_of(id);
            if (count != 0 && (!place || counts[*place] != count)) return false;
        }
        return true;
    }

    /// Is everything that the file holds where the indexes say, as far as can be known without reading it?
    [[nodiscard]] bool is_complete()
    {
        const auto& index = summary_.index;
        const bool agree = all_indexed_ && counts_agree() &&
                           index.statistics->attachment_count == attachments_.size() &&
                           index.statistics->metadata_count == metadata_.size() &&
                           index.statistics->channel_count == index.channels.all().size();
        // A chunk without listed messages may hold some.
        if (!agree || std::ranges::any_of(index.segments, [](const auto& segment) {
                return segment.messages == 0 && segment.unpacked != 0;
            }))
            return false;
        for (const auto& each : attachments_) places_.add(each.offset, each.length);
        for (const auto& each : metadata_) places_.add(each.offset, each.length);
        places_.check();
        return places_.are_all(file_);
    }

    void decide()
    {
        auto& index = summary_.index;
        summary_.complete = is_complete();
        if (summary_.complete) {
            index.application_records += places_.application_records();
            read_pointed();
        } else {
            index.application_records = 0;  // the walk counts them all
            // Where Statistics and indexes contradict each other, neither is trusted: the walk counts itself, as it
            // does in chunks without messages.
            if (!index.statistics || counts_agree())
                for (auto& segment : index.segments)
                    if (segment.messages != 0) summary_.chunks.emplace(segment.offset, std::move(segment));
            index.segments.clear();
        }
        std::erase_if(index.segments, [](const auto& segment) { return segment.messages == 0; });
    }

    void read_pointed()
    {
        const auto record_at = [&](std::uint64_t offset, std::uint64_t length, Opcode opcode) {
            auto records = records_in(file_, offset, offset + length);
            if (!records.look({}) || records.opcode() != opcode || records.end() != offset + length)
                distrust("an index points to another record");
            return records;
        };
        for (const auto& each : attachments_) {
            const auto record = record_at(each.offset, each.length, Opcode::attachment);
            summary_.index.attachments.push_back(attachment_in_file(file_, record.content_offset(), record.length()));
        }
        for (const auto& each : metadata_) {
            auto record = record_at(each.offset, each.length, Opcode::metadata);
            summary_.index.metadata.push_back(mcap_metadata(mcap::parse_metadata(record.record({})->content)));
        }
    }

    std::shared_ptr<const RandomAccess> file_;
    const std::function<void(const Error&)>& on_warning_;
    McapSummary summary_;
    Places places_;
    std::uint64_t summary_start_ = 0;
    std::set<std::uint16_t> missing_;  ///< schemas that the summary does not repeat
    bool has_loose_messages_ = false;  ///< known where schemas are missing
    std::vector<mcap::ChannelFields> channels_;
    std::vector<mcap::ChunkIndex> chunks_;
    std::vector<mcap::AttachmentIndex> attachments_;
    std::vector<mcap::MetadataIndex> metadata_;
    bool all_indexed_ = true;
    bool states_no_times_ = false;
};

/// A longer summary is not searched for.
constexpr std::uint64_t max_tail_bytes = std::uint64_t{64} << 20;
/// Opcode and length of a DataEnd record, and its CRC.
constexpr std::string_view data_end_prefix{"\x0f\x04\0\0\0\0\0\0\0", record_prefix_bytes};
constexpr std::size_t data_end_bytes = record_prefix_bytes + 4;

/// Schemas, channels and places of chunks, up to the first record that cannot be read.
void take_stated(Bytes summary, McapStated& stated)
try {
    stated.declared.are_whole = false;
    mcap::RecordWalker walker(summary);
    for (mcap::RawRecord record; walker.next(record) && record.opcode != Opcode::footer;) {
        if (record.opcode == Opcode::schema) {
            const auto schema = mcap::parse_schema(record.content);
            stated.declared.schemas.try_emplace(
                schema.id,
                std::make_shared<const SchemaRecord>(SchemaRecord{
                    std::string(schema.name), std::string(schema.encoding), {schema.data.begin(), schema.data.end()}}));
        } else if (record.opcode == Opcode::channel) {
            const auto channel = mcap::parse_channel(record.content);
            stated.declared.channels.try_emplace(
                channel.id, McapChannelRecord{channel.schema_id, std::string(channel.topic),
                                              std::string(channel.message_encoding), map_of(channel.metadata)});
        } else if (record.opcode == Opcode::chunk_index) {
            const auto index = mcap::parse_chunk_index(record.content);
            stated.chunks.try_emplace(index.chunk_start_offset, index.chunk_length);
        }
    }
    stated.declared.are_whole = true;
} catch (const Error&) {
    // What was read so far may help.
}

}  // namespace

std::optional<McapSummary> read_mcap_summary(const std::shared_ptr<const RandomAccess>& file,
                                             const OpenOptions& options)
{
    return SummaryReader(file, options).run();
}

bool may_state_data_crc(const RandomAccess& file)
{
    const auto tail = tail_of(file);
    if (!tail) return true;
    const auto end = tail->footer.summary_start == 0 ? tail->offset : tail->footer.summary_start;
    std::array<std::byte, data_end_bytes> data_end;
    if (end < data_end.size() || end > tail->offset) return true;
    read_exactly(file, end - data_end.size(), data_end);
    return !text_of(data_end).starts_with(data_end_prefix) || load_le32(data_end.data() + data_end_prefix.size()) != 0;
}

McapChannelRecords summary_channel_records(const RandomAccess& file)
try {
    McapStated stated;
    take_stated(summary_bytes(file).bytes, stated);
    return std::move(stated.declared.channels);
} catch (const Error& error) {
    if (error.cause() == Cause::io) throw;
    return {};
}

McapStated stated_by_summary(const RandomAccess& file)
{
    McapStated stated;
    try {
        take_stated(summary_bytes(file).bytes, stated);
        if (!stated.declared.channels.empty()) return stated;
    } catch (const Error& error) {
        if (error.cause() == Cause::io) throw;
    }
    std::vector<std::byte> tail(static_cast<std::size_t>(std::min(file.size(), max_tail_bytes)));
    tail.resize(file.read_at(file.size() - tail.size(), tail, 0));
    const auto text = text_of(tail);
    const auto place = text.rfind(data_end_prefix);
    if (place != std::string_view::npos && text.size() - place >= data_end_bytes)
        take_stated(Bytes(tail).subspan(place + data_end_bytes), stated);
    return stated;
}

}  // namespace ositrace
