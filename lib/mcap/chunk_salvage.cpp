// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_repair.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/covered_records.hpp"
#include "lib/io/unpacked_rest.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

/// A chunk may unpack to so much more, or to the size that it announces.
constexpr std::uint64_t salvaged_ratio = 256;
/// So much may be read in vain for candidates, per byte of the chunk and at least: a hostile chunk must not cost
/// quadratic time.
constexpr std::uint64_t waste_per_byte = 8, min_waste = std::uint64_t{1} << 24;

class ChunkWalk {
public:
    ChunkWalk(Bytes bytes, std::vector<std::pair<std::size_t, std::size_t>> holes, const mcap::Chunk& chunk,
              McapRepair& repair, McapChannels& channels, MessageJudge& judge, std::uint64_t max_message_bytes)
        : proven(chunk.uncompressed_crc != 0 && crc32(bytes) == chunk.uncompressed_crc),
          uncontradicted_(chunk.uncompressed_crc == 0 && chunk.uncompressed_size == bytes.size()),
          bytes_(bytes),
          holes_(std::move(holes)),
          chunk_(chunk),
          repair_(repair),
          channels_(channels),
          judge_(judge),
          max_message_bytes_(max_message_bytes)
    {
    }

    void run()
    {
        for (std::size_t at = 0;
             at < bytes_.size() && wasted_ <= std::max(min_waste, waste_per_byte * bytes_.size());) {
            auto record = record_at(at);
            if (record && !searching_) shorten(*record);
            if (const auto front = record ? front_of_nested(*record) : 0; front != 0) {
                kept_bytes += front;
                at += static_cast<std::size_t>(front);
            } else if (record && take(*record)) {
                searching_ = false;
                kept_bytes += record_prefix_bytes + record->content.size();
                at = static_cast<std::size_t>(record->end());
            } else if (record && !searching_ && (record->end() == bytes_.size() || record_at(record->end()))) {
                at = static_cast<std::size_t>(record->end());  // its length is right, its content is not
            } else {
                searching_ = true;
                ++at;
            }
        }
    }

    const bool proven;  ///< by the CRC, after all
    std::vector<mcap::RawRecord> messages;
    std::uint64_t kept_bytes = 0;

private:
    /// What may be a record of a chunk.
    [[nodiscard]] std::optional<mcap::RawRecord> record_at(std::uint64_t offset) const
    {
        const auto left = bytes_.subspan(static_cast<std::size_t>(offset));
        if (left.size() < record_prefix_bytes) return std::nullopt;
        const auto [opcode, length] = mcap::prefix_at(left);
        const bool usual = opcode == Opcode::message || opcode == Opcode::schema || opcode == Opcode::channel ||
                           opcode == Opcode::chunk;
        if (!usual && (!proven || opcode == Opcode{})) return std::nullopt;
        if (length > left.size() - record_prefix_bytes || crosses_hole(offset, offset + record_prefix_bytes + length))
            return std::nullopt;
        return mcap::RawRecord{opcode, offset, left.subspan(record_prefix_bytes, static_cast<std::size_t>(length))};
    }

    /// A chunk must not contain another one. If it does, and that is not compressed, its records are read as if they
    /// were here: the bytes before them. 0: it is no such chunk.
    [[nodiscard]] std::uint64_t front_of_nested(const mcap::RawRecord& record) const
    try {
        if (record.opcode != Opcode::chunk || searching_) return 0;
        const auto chunk = mcap::parse_chunk(record.content);
        const auto front = static_cast<std::uint64_t>(chunk.records.data() - record.content.data());
        const bool is_plain = chunk.compression.empty() && front + chunk.records.size() == record.content.size();
        return is_plain ? record_prefix_bytes + front : 0;
    } catch (const Error&) {
        return 0;
    }

    [[nodiscard]] bool crosses_hole(std::uint64_t from, std::uint64_t to) const
    {
        return std::ranges::any_of(holes_, [&](const auto& hole) { return hole.first < to && from < hole.second; });
    }

    /// Of a record whose length covers those that follow it.
    void shorten(mcap::RawRecord& record)
    {
        const bool is_short = record.opcode == Opcode::message && record.content.size() < mcap::message_front_bytes;
        if (proven || is_short) return;
        if (const auto found = repair_.length_in_chunk(record))
            record.content = record.content.first(static_cast<std::size_t>(found->right.length));
    }

    bool take(const mcap::RawRecord& record)
    try {
        if (record.opcode == Opcode::message) return take_message(record);
        if (searching_) return false;  // these cannot be distinguished from other bytes
        if (record.opcode == Opcode::schema)
            declare(mcap::parse_schema(record.content));
        else if (record.opcode == Opcode::channel)
            declare(mcap::parse_channel(record.content));
        else
            return false;
        return true;
    } catch (const Error&) {
        return false;
    }

    template <class Record>
    void declare(const Record& record)
    {
        proven ? channels_.add(record) : channels_.add_doubtful(record);
    }

    bool take_message(const mcap::RawRecord& record)
    {
        const auto message = mcap::parse_message(record.content);
        const auto place = channels_.find(message.channel_id);
        if (!place || message.data.size() > max_message_bytes_ || !times_fit(message) ||
            !(proven || is_whole(*place, message)))
            return false;
        messages.push_back(record);
        return true;
    }

    [[nodiscard]] static bool is_time(std::uint64_t time) noexcept
    {
        return time <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    }

    /// The chunk states the range of its log times. If the first message confirms it, it decides about the others.
    bool times_fit(const mcap::Message& message)
    {
        const bool inside =
            message.log_time >= chunk_.message_start_time && message.log_time <= chunk_.message_end_time;
        if (!range_is_right_ && !searching_) range_is_right_ = inside;
        if (!is_time(message.log_time) || !is_time(message.publish_time)) return false;
        return inside || proven || (!searching_ && !range_is_right_.value_or(true));
    }

    bool is_whole(std::uint32_t place, const mcap::Message& message)
    {
        const auto& channel = channels_.all()[place];
        const bool in_place = uncontradicted_ && !searching_;
        if (channel.root == nullptr) return in_place;
        const bool whole = judge_.is_whole(channel, message.data, !in_place);
        if (!whole) wasted_ += message.data.size();
        return whole;
    }

    bool uncontradicted_;  ///< there is no CRC, and it unpacks
    Bytes bytes_;
    std::vector<std::pair<std::size_t, std::size_t>> holes_;
    const mcap::Chunk& chunk_;
    McapRepair& repair_;
    McapChannels& channels_;
    MessageJudge& judge_;
    std::uint64_t max_message_bytes_;
    bool searching_ = false;
    std::optional<bool> range_is_right_;
    std::uint64_t wasted_ = 0;
};

}  // namespace

std::optional<SalvagedChunk> McapRepair::salvage(Bytes content)
try {
    SalvagedChunk result;
    const auto chunk = mcap::parse_damaged_chunk(content);
    result.compression = chunk.compression;
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(
        limits_.chunk_bytes, std::max<std::uint64_t>(salvaged_ratio * chunk.records.size(), chunk.uncompressed_size)));
    Bytes bytes = chunk.records;
    std::vector<std::pair<std::size_t, std::size_t>> holes;
    if (!chunk.compression.empty()) {
        auto rest = unpack_rest(chunk.records, chunk.compression, most);
        holes = std::move(rest.holes);
        auto owner = std::make_shared<const std::vector<std::byte>>(std::move(rest.bytes));
        bytes = *owner;
        result.owner = std::move(owner);
    }
    ChunkWalk walk(bytes, std::move(holes), chunk, *this, channels_, judge_, limits_.message_bytes);
    walk.run();
    result.messages = std::move(walk.messages);
    result.proven = walk.proven;
    const bool announced = chunk.uncompressed_size <= limits_.chunk_bytes && !chunk.compression.empty() && !walk.proven;
    const auto unpacked = std::max<std::uint64_t>({bytes.size(), announced ? chunk.uncompressed_size : 0, 1});
    result.lost_bytes =
        content.size() * (std::max<std::uint64_t>(bytes.size(), announced ? unpacked : 0) - walk.kept_bytes) / unpacked;
    return result;
} catch (const Error& error) {
    if (error.cause() == Cause::io) throw;
    return std::nullopt;
}

}  // namespace ositrace
