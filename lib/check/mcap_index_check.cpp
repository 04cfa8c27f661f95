// SPDX-License-Identifier: MPL-2.0
#include "lib/check/mcap_index_check.hpp"

#include <algorithm>

namespace ositrace {

namespace {

constexpr std::string_view what_to_do = " (osiconvert recover writes the index anew)";

/// The finalizer of MurmurHash3, chained.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) noexcept
{
    auto x = seed * 0x9e3779b97f4a7c15 + value;
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

std::uint64_t hash_of(std::uint16_t channel, std::uint64_t time, std::uint64_t offset) noexcept
{
    return mixed(mixed(channel, time), offset);
}

}  // namespace

void McapIndexCheck::begin_chunk(const mcap::Chunk& chunk, std::uint64_t offset, std::uint64_t end)
{
    last_ = &chunks_[offset];
    last_->end = end;
    last_->stated_first = chunk.message_start_time;
    last_->stated_last = chunk.message_end_time;
}

void McapIndexCheck::pass_over_messages()
{
    last_->is_known = false;
    all_known_ = false;
}

void McapIndexCheck::message_in_chunk(const mcap::Message& message, std::uint64_t offset)
{
    count(message);
    last_->first = std::min(last_->first, message.log_time);
    last_->last = std::max(last_->last, message.log_time);
    ++last_->messages;
    last_->sum += hash_of(message.channel_id, message.log_time, offset);
}

void McapIndexCheck::count(const mcap::Message& message)
{
    ++messages_;
    ++by_channel_[message.channel_id];
    first_ = std::min(first_, message.log_time);
    end_ = std::max(end_, message.log_time);
}

void McapIndexCheck::message_index(const mcap::MessageIndex& index, std::uint64_t offset, std::uint64_t end)
{
    if (last_ == nullptr)
        return add(Kind::mcap_message_index, offset, "found a message index with no chunk in front of it");
    ++last_->indexes;
    last_->indexes_sum += hash_of(index.channel_id, offset, 0);
    last_->index_bytes += end - offset;
    last_->listed += index.records.size();
    for (const auto& [time, place] : index.records) last_->listed_sum += hash_of(index.channel_id, time, place);
}

void McapIndexCheck::chunk_index(const mcap::ChunkIndex& index, std::uint64_t offset)
{
    any_in_summary_ = true;
    const auto found = chunks_.find(index.chunk_start_offset);
    if (found == chunks_.end())
        return add(
            Kind::mcap_no_index, offset,
            "found an index of a chunk at byte " + std::to_string(index.chunk_start_offset) + ", where none begins");
    auto& chunk = found->second;
    chunk.in_summary = true;
    if (index.chunk_length != chunk.end - found->first)
        add(Kind::mcap_no_index, offset,
            "the chunk at byte " + std::to_string(found->first) + " has " + std::to_string(chunk.end - found->first) +
                " bytes, its index says " + std::to_string(index.chunk_length));
    check_times(chunk, index.message_start_time, index.message_end_time, "the index in the summary", offset);
    if (index.message_index_offsets.empty()) return;  // it knows of none
    std::uint64_t sum = 0;
    for (const auto& [channel, place] : index.message_index_offsets) sum += hash_of(channel, place, 0);
    if (sum != chunk.indexes_sum || index.message_index_length != chunk.index_bytes)
        add(Kind::mcap_message_index, offset,
            "the index in the summary points elsewhere than to the message index behind the chunk at byte " +
                std::to_string(found->first) + std::string(what_to_do));
}

void McapIndexCheck::statistics(const mcap::Statistics& statistics, std::uint64_t offset)
{
    statistics_ = statistics;
    statistics_offset_ = offset;
}

void McapIndexCheck::finish(std::size_t schemas, std::size_t channels)
{
    for (const auto& [offset, chunk] : chunks_) check_chunk(chunk, offset);
    if (!chunks_.empty() && !any_in_summary_)
        findings_.add(Kind::mcap_no_index, {}, [] { return std::string("there is no chunk index at all"); });
    if (statistics_) check_statistics(schemas, channels);
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
    if (any_in_summary_ && !chunk.in_summary) add(Kind::mcap_no_index, offset, "this chunk is not in the index");
    check_times(chunk, chunk.stated_first, chunk.stated_last, "the chunk", offset);
    if (chunk.indexes == 0 || !chunk.is_known) return;
    if (chunk.listed != chunk.messages)
        add(Kind::mcap_message_index, offset,
            "the message index lists " + std::to_string(chunk.listed) + " messages, the chunk holds " +
                std::to_string(chunk.messages) + std::string(what_to_do));
    else if (chunk.listed_sum != chunk.sum)
        add(Kind::mcap_message_index, offset,
            "the message index gives another channel, log time or place than a message of the chunk has" +
                std::string(what_to_do));
}

void McapIndexCheck::check_times(const Chunk& chunk, std::uint64_t first, std::uint64_t last, std::string_view who,
                                 std::uint64_t at)
{
    if (!chunk.is_known || chunk.messages == 0 || (first == chunk.first && last == chunk.last)) return;
    add(Kind::mcap_chunk_times, at,
        std::string(who) + " says " + std::to_string(first) + " to " + std::to_string(last) + ", its messages have " +
            std::to_string(chunk.first) + " to " + std::to_string(chunk.last) + std::string(what_to_do));
}

void McapIndexCheck::check_statistics(std::size_t schemas, std::size_t channels)
{
    compare("schema_count", statistics_->schema_count, schemas);
    compare("channel_count", statistics_->channel_count, channels);
    compare("attachment_count", statistics_->attachment_count, attachments_);
    compare("metadata_count", statistics_->metadata_count, metadata_);
    compare("chunk_count", statistics_->chunk_count, chunks_.size());
    if (!all_known_) return;
    compare("message_count", statistics_->message_count, messages_);
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

void McapIndexCheck::compare(std::string_view field, std::uint64_t stated, std::uint64_t found)
{
    if (stated == found) return;
    add(Kind::mcap_statistics, statistics_offset_,
        "the Statistics say " + std::to_string(stated) + ", the file has " + std::to_string(found) +
            std::string(what_to_do),
        std::string(field));
}

void McapIndexCheck::add(Kind kind, std::uint64_t byte, const std::string& message, const std::string& field)
{
    findings_.add(kind, {std::nullopt, std::nullopt, byte, {}}, [&] { return message; }, [&] { return field; });
}

}  // namespace ositrace
