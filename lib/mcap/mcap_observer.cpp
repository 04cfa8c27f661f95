// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_observer.hpp"

#include <algorithm>

#include "lib/mcap/mcap_index.hpp"

namespace ositrace {

void McapIndexCheck::begin(std::uint64_t first)
{
    *this = McapIndexCheck(std::move(on_problem_));
    file_ = first;
}

void McapIndexCheck::record(const mcap::RawRecord& record, bool)
{
    using enum mcap::Opcode;
    switch (record.opcode) {
    case schema: schemas_.insert(mcap::parse_schema(record.content).id); break;
    case channel: channels_.insert(mcap::parse_channel(record.content).id); break;
    case chunk: begin_chunk(record); break;
    case message: count(mcap::parse_message(record.content)); break;
    case message_index: add_message_index(record); break;
    case attachment: ++attachments_; break;
    case metadata: ++metadata_; break;
    case chunk_index: check_chunk_index(mcap::parse_chunk_index(record.content), record.offset); break;
    case statistics:
        statistics_ = mcap::parse_statistics(record.content);
        statistics_offset_ = record.offset;
        break;
    default: break;
    }
}

void McapIndexCheck::record_in_chunk(const mcap::RawRecord& record, std::uint64_t offset)
{
    if (record.opcode != mcap::Opcode::message) return this->record(record, false);
    const auto message = mcap::parse_message(record.content);
    count(message);
    if (unpacked_ == nullptr || unpacked_->first != offset) unpacked_ = &*chunks_.try_emplace(offset).first;
    auto& chunk = unpacked_->second;
    chunk.first = std::min(chunk.first, message.log_time);
    chunk.last = std::max(chunk.last, message.log_time);
    ++chunk.messages;
}

void McapIndexCheck::unreadable_chunk(std::uint64_t chunk)
{
    chunks_[chunk].is_known = false;
    all_known_ = false;
}

void McapIndexCheck::go_back(std::uint64_t offset)
{
    chunks_.erase(chunks_.lower_bound(offset), chunks_.end());
    unpacked_ = nullptr;
}

void McapIndexCheck::begin_chunk(const mcap::RawRecord& record)
{
    const auto front = mcap::parse_chunk_front(record.content);
    auto& chunk = chunks_[record.offset];
    chunk.end = record.end();
    chunk.stated_first = front.message_start_time;
    chunk.stated_last = front.message_end_time;
}

void McapIndexCheck::count(const mcap::Message& message)
{
    ++messages_;
    ++by_channel_[message.channel_id];
    first_ = std::min(first_, message.log_time);
    end_ = std::max(end_, message.log_time);
}

/// It belongs to the last chunk.
void McapIndexCheck::add_message_index(const mcap::RawRecord& record)
{
    const auto index = mcap::parse_message_index(record.content);
    if (chunks_.empty())
        return add(Damage::message_index, record.offset, "found a MessageIndex without a chunk before it");
    auto& chunk = chunks_.rbegin()->second;
    ++chunk.indexes;
    chunk.indexes_sum += hash_of(index.channel_id, record.offset, 0);
    chunk.index_bytes += record.end() - record.offset;
    chunk.listed += index.records.size();
}

void McapIndexCheck::check_chunk_index(const mcap::ChunkIndex& index, std::uint64_t offset)
{
    any_in_summary_ = true;
    const auto found = chunks_.find(file_ + index.chunk_start_offset);
    if (found == chunks_.end())
        return add(
            Damage::chunk_index, offset,
            "found a ChunkIndex for byte " + std::to_string(index.chunk_start_offset) + ", where no chunk begins");
    auto& chunk = found->second;
    chunk.in_summary = true;
    if (index.chunk_length != chunk.end - found->first)
        add(Damage::chunk_index, offset,
            "found a length of " + std::to_string(index.chunk_length) + " bytes for the chunk at byte " +
                std::to_string(found->first) + ", expected " + std::to_string(chunk.end - found->first));
    check_times(chunk, index.message_start_time, index.message_end_time, "in its ChunkIndex", offset);
    if (index.message_index_offsets.empty()) return;  // it knows of none
    std::uint64_t sum = 0;
    for (const auto& [channel, place] : index.message_index_offsets) sum += hash_of(channel, file_ + place, 0);
    if (sum != chunk.indexes_sum || index.message_index_length != chunk.index_bytes)
        add(Damage::message_index, offset,
            "the ChunkIndex does not point to the message indexes of the chunk at byte " +
                std::to_string(found->first));
}

void McapIndexCheck::finish()
{
    for (const auto& [offset, chunk] : chunks_) check_chunk(chunk, offset);
    if (statistics_) check_statistics();
}

McapIndexCheck::Unchecked McapIndexCheck::unchecked() const
{
    Unchecked sum;
    for (const auto& [offset, chunk] : chunks_) {
        if (chunk.is_known) continue;
        ++sum.chunks;
        sum.messages += chunk.listed;
    }
    return sum;
}

void McapIndexCheck::check_chunk(const Chunk& chunk, std::uint64_t offset)
{
    if (any_in_summary_ && !chunk.in_summary) add(Damage::chunk_index, offset, "found no ChunkIndex for this chunk");
    check_times(chunk, chunk.stated_first, chunk.stated_last, "in the chunk", offset);
}

void McapIndexCheck::check_times(const Chunk& chunk, std::uint64_t first, std::uint64_t last, const std::string& who,
                                 std::uint64_t at)
{
    if (!chunk.is_known || chunk.messages == 0 || (first == chunk.first && last == chunk.last)) return;
    add(Damage::chunk_times, at,
        "found " + std::to_string(first) + " to " + std::to_string(last) + " " + who + ", expected " +
            std::to_string(chunk.first) + " to " + std::to_string(chunk.last));
}

void McapIndexCheck::check_statistics()
{
    compare("schema_count", statistics_->schema_count, schemas_.size());
    compare("channel_count", statistics_->channel_count, channels_.size());
    compare("attachment_count", statistics_->attachment_count, attachments_);
    compare("metadata_count", statistics_->metadata_count, metadata_);
    compare("chunk_count", statistics_->chunk_count, chunks_.size());
    if (!all_known_) return;
    if (messages_ != 0) {
        compare("message_start_time", statistics_->message_start_time, first_);
        compare("message_end_time", statistics_->message_end_time, end_);
    }
    if (statistics_->channel_message_counts.empty()) return;  // they need not be there
    auto found = by_channel_;
    for (const auto& [channel, count] : statistics_->channel_message_counts) {
        compare("channel_message_counts[" + std::to_string(channel) + "]", count, found[channel]);
        found.erase(channel);
    }
    for (const auto& [channel, count] : found)
        compare("channel_message_counts[" + std::to_string(channel) + "]", 0, count);
}

void McapIndexCheck::compare(const std::string& field, std::uint64_t stated, std::uint64_t found)
{
    if (stated == found) return;
    add(Damage::statistics, statistics_offset_,
        "found " + std::to_string(found) + ", the Statistics record states " + std::to_string(stated), field);
}

void McapIndexCheck::add(Damage damage, std::uint64_t byte, const std::string& message, const std::string& field)
{
    on_problem_(Error(Cause::malformed, {.offset = byte, .field = field}, message, damage));
}

}  // namespace ositrace
