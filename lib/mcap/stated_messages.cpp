// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/stated_messages.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "lib/mcap/mcap_index.hpp"

namespace ositrace {

namespace {

/// `1 to 2`
std::string range_text(std::uint64_t first, std::uint64_t last)
{
    return std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

void ChunkMessages::add(const mcap::Message& message, std::uint64_t offset)
{
    ++count;
    sum += hash_of(message.channel_id, message.log_time, offset);
    first = std::min(first, message.log_time);
    last = std::max(last, message.log_time);
}

void StatedMessages::begin_chunk(std::uint64_t offset, std::uint64_t length)
{
    if (chunks_.empty() || chunks_.back().offset < offset) chunks_.push_back({.offset = offset, .length = length});
}

void StatedMessages::go_back(std::uint64_t offset)
{
    std::erase_if(chunks_, [&](const Chunk& chunk) { return chunk.offset >= offset; });
}

void StatedMessages::add_index(const mcap::RawRecord& record)
{
    const auto index = mcap::parse_message_index(record.content);
    if (chunks_.empty()) chunks_.push_back({.offset = record.offset, .found = ChunkMessages{}});  // its chunk is gone
    auto& listed = chunks_.back().listed;
    listed.count += index.records.size();
    for (const auto& [time, place] : index.records) listed.sum += hash_of(index.channel_id, time, place);
}

void StatedMessages::found(std::uint64_t chunk, const ChunkMessages& messages, bool is_whole, std::uint64_t next_frame)
{
    const auto place = std::ranges::find(chunks_, chunk, &Chunk::offset);
    place->found = messages;
    place->is_whole = is_whole;
    place->next_frame = next_frame;
}

void StatedMessages::lose_last(std::uint64_t next_frame)
{
    if (!chunks_.empty() && !chunks_.back().found) found(chunks_.back().offset, {}, false, next_frame);
}

std::vector<SkippedBytes> StatedMessages::compare_chunks()
{
    std::vector<SkippedBytes> damages;
    for (; !chunks_.empty() && chunks_.front().found; chunks_.pop_front()) {
        auto& chunk = chunks_.front();
        const auto lost = chunk.listed.count - std::min(chunk.listed.count, chunk.found->count);
        const bool differs = chunk.is_whole && chunk.listed.count != 0 && chunk.listed.sum != chunk.found->sum;
        all_listed_ += chunk.listed.count;
        if (chunk.damage) {
            chunk.damage->frames = lost;
            damages.push_back(std::move(*chunk.damage));
            continue;
        }
        if (lost == 0 && !differs) continue;
        const Location where{file_, chunk.next_frame, chunk.offset, {}};
        const auto problem = chunk.listed.count != chunk.found->count
                                 ? contradicts_index(chunk.found->count, chunk.listed.count, where)
                                 : Error(Cause::malformed, where,
                                         "the message index of a chunk has another channel, log time or offset than a "
                                         "message of it",
                                         Damage::message_index);
        const bool is_gone = lost != 0 && chunk.found->count == 0;
        const SkippedBytes damage{chunk.next_frame, chunk.offset, is_gone ? chunk.length : 0, problem, 0, lost};
        if (lost != 0 || has_observer_)
            damages.push_back(damage);
        else if (!wrong_index_)
            wrong_index_ = damage;
    }
    return damages;
}

std::optional<Error> StatedMessages::compare_times(const mcap::Chunk& chunk, std::uint64_t offset,
                                                   const ChunkMessages& messages)
{
    states_times_ = states_times_ || chunk.message_end_time != 0;
    const Stated stated{chunk.message_start_time, chunk.message_end_time, chunk.uncompressed_size};
    whole_.insert_or_assign(offset, WholeChunk{stated, messages});
    if (has_observer_ || messages.count == 0) return std::nullopt;
    if (!states_times_ || (chunk.message_start_time <= messages.first && messages.last <= chunk.message_end_time))
        return std::nullopt;
    return outside_of_chunk(messages.first, messages.last, chunk.message_start_time, chunk.message_end_time);
}

Error outside_of_chunk(std::uint64_t first, std::uint64_t last, std::uint64_t start, std::uint64_t end)
{
    return {Cause::malformed,
            {},
            "a chunk holds messages of log times " + range_text(first, last) + ", and states " + range_text(start, end),
            Damage::chunk_times};
}

void StatedMessages::add(const mcap::ChunkIndex& index, std::uint64_t file_begin)
{
    constexpr auto front = mcap::record_prefix_bytes + mcap::message_index_front_bytes;
    const auto fronts = front * index.message_index_offsets.size();
    auto& indexed = indexed_[{index.message_start_time, index.message_end_time, index.uncompressed_size}];
    ++indexed.chunks;
    if (index.message_index_length >= fronts) {
        indexed.messages = (index.message_index_length - fronts) / mcap::message_index_entry_bytes;
        all_indexed_ += indexed.messages;
    }
    const auto found = whole_.find(file_begin + index.chunk_start_offset);
    if (has_observer_ || found == whole_.end() || !states_times_ || found->second.messages.count == 0) return;
    const auto [first, last] = std::pair(found->second.messages.first, found->second.messages.last);
    if (index.message_start_time > first || index.message_end_time < last)
        throw Error(Cause::malformed, {},
                    "a chunk holds messages of log times " + range_text(first, last) + ", and its ChunkIndex states " +
                        range_text(index.message_start_time, index.message_end_time),
                    Damage::chunk_times);
}

void StatedMessages::add_statistics(const mcap::RawRecord& record)
{
    statistics_ = mcap::parse_statistics(record.content);
    statistics_offset_ = record.offset;
}

bool StatedMessages::statistics_agree() const
{
    if (!statistics_ || statistics_->channel_message_counts.empty()) return false;
    std::uint64_t sum = 0;
    for (const auto& [channel, count] : statistics_->channel_message_counts)
        if (__builtin_add_overflow(sum, count, &sum)) return false;
    return sum == statistics_->message_count;
}

std::optional<SkippedBytes> StatedMessages::wrong_index(const Location& footer, bool damaged) const
{
    if (!statistics_) return std::nullopt;
    const auto counted = statistics_->message_count;
    if (wrong_index_ && (counted == all_listed_ || counted == all_indexed_)) return wrong_index_;
    if (wrong_index_ || damaged || counted != all_indexed_ || all_listed_ == all_indexed_) return std::nullopt;
    const Error problem(Cause::malformed, footer,
                        "the message indexes list " + std::to_string(all_listed_) + " messages, the summary states " +
                            std::to_string(all_indexed_),
                        Damage::message_index);
    return SkippedBytes{footer.frame, footer.offset.value_or(0), 0, problem};
}

/// Messages of chunks that are there again, as many as chunks lack that have an index.
std::uint64_t StatedMessages::hidden() const
{
    auto missing = indexed_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::uint64_t again = 0, lost = 0;
    for (const auto& [offset, chunk] : whole_) {
        if (const auto index = missing.find(chunk.stated); index != missing.end() && index->second.chunks != 0)
            --index->second.chunks;
        if (!seen.emplace(chunk.messages.count, chunk.messages.sum).second) again += chunk.messages.count;
    }
    for (const auto& [stated, index] : missing) lost += index.chunks * index.messages;
    return std::min(again, lost);
}

std::optional<SkippedBytes> StatedMessages::compare_statistics(std::uint64_t found, std::uint64_t lost, bool moved)
{
    if (!statistics_) return std::nullopt;
    found -= std::min(found, hidden());
    const auto stated = std::exchange(statistics_, std::nullopt)->message_count;
    if (stated == found) return std::nullopt;
    const auto missing = stated - std::min(stated, found + lost);
    if (missing == 0 && (stated > found || !(moved || has_observer_))) return std::nullopt;  // reported, or harmless
    const Error problem(Cause::malformed, {.file = file_, .offset = statistics_offset_},
                        "number of messages: found " + std::to_string(found) + ", the Statistics record lists " +
                            std::to_string(stated),
                        Damage::statistics);
    return SkippedBytes{std::nullopt, statistics_offset_, 0, problem, 0, missing};
}

}  // namespace ositrace
