// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_trace.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/mcap/mcap_reader.hpp"
#include "lib/mcap/message_judge.hpp"
#include "lib/mcap/open_mcap.hpp"
#include "lib/trace/frame_by_time.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

TraceInfo info_of(const McapIndex& index, const RandomAccess& file, std::string_view compression)
{
    TraceInfo info;
    info.file = file.name();
    info.container = mcap_container;
    info.compression = compression;
    info.profile = index.profile;
    info.library = index.library;
    info.chunk_compression = index.chunk_compression;
    info.metadata = index.metadata;
    info.attachments = index.attachments;
    info.application_records = index.application_records;
    return info;
}

/// Of a time that does not fit: the last one.
Nanoseconds log_time_of(std::uint64_t stored) noexcept
{
    return Nanoseconds(static_cast<std::int64_t>(
        std::min(stored, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))));
}

}  // namespace

McapTrace::McapTrace(std::shared_ptr<const RandomAccess> file, McapIndex index, std::string_view compression,
                     const OpenOptions& options)
    : file_(std::move(file)),
      options_(options),
      index_(std::move(index)),
      info_(info_of(index_, *file_, compression)),
      order_(index_),
      loader_(file_, index_, options.max_message_bytes),
      threads_(unpacking_threads(options.threads)),
      counts_(index_.channels.all().size()),
      orders_(index_.channels.all().size())
{
    index_.channels.move_all_to(info_.channels);
    for (const auto& segment : index_.segments)
        for (const auto& [channel, count] : segment.counts) counts_[channel] += count;
}

std::uint64_t McapTrace::frame_count(std::uint32_t channel) const
{
    check_channel(channel);
    if (const auto& damage = index_.damage)
        throw Error(damage->cause(),
                    {.file = file_->name(), .frame = count_of(channel), .offset = damage->where().offset},
                    damage->reason());
    return count_of(channel);
}

Frame McapTrace::frame(std::uint32_t channel, std::uint64_t i) const
{
    const auto key = key_of(channel, i);
    auto frame = read(key);
    const std::scoped_lock lock(mutex_);
    if (!all_) all_ = std::make_unique<MessageOrder>(order_of_all());
    frame.index = info_.channels.size() == 1 ? i : all_->number_of(key);
    return frame;
}

std::optional<Nanoseconds> McapTrace::frame_time(std::uint32_t channel, std::uint64_t i) const
{
    const auto key = key_of(channel, i);
    const auto front = loader_.data_front(key, payload_front_bytes);
    if (const auto time = timestamp_in_front(front, info_.channels[channel])) return time;
    return read(key).time;
}

std::optional<Nanoseconds> McapTrace::log_time(std::uint32_t channel, std::uint64_t i) const
{
    return Nanoseconds(static_cast<std::int64_t>(key_of(channel, i).log_time));
}

std::uint64_t McapTrace::frame_bytes(std::uint32_t channel, std::uint64_t i) const
{
    return loader_.message(key_of(channel, i)).bytes.size();
}

FrameSizes McapTrace::frame_sizes(std::uint32_t channel) const
{
    check_channel(channel);
    return {};  // no index of MCAP knows them
}

std::optional<std::uint64_t> McapTrace::record_bytes() const
{
    std::uint64_t total = 0;
    for (const auto& segment : index_.segments)
        if (__builtin_add_overflow(total, segment.chunk ? segment.unpacked : segment.length, &total))
            return std::nullopt;
    return total;
}

std::optional<std::uint64_t> McapTrace::frame_at(std::uint32_t channel, Nanoseconds t) const
{
    check_channel(channel);
    const auto guess = frame_by_log_time(channel, t);
    if (!has_timestamp(info_.channels[channel])) return guess;
    // Where log times are those of the payloads, as the standard has it, the guess is right.
    const auto next = guess ? *guess + 1 : 0;
    if (!guess || frame_time(channel, *guess).value_or(Nanoseconds::max()) <= t) {
        const auto time_of_next = next < count_of(channel) ? frame_time(channel, next) : Nanoseconds::max();
        if (time_of_next && *time_of_next > t) return guess;
    }
    return last_frame_until(count_of(channel), t, [&](std::uint64_t i) { return frame_time(channel, i); });
}

std::optional<std::uint64_t> McapTrace::frame_by_log_time(std::uint32_t channel, Nanoseconds t) const
{
    if (t.count() < 0) return std::nullopt;
    const std::scoped_lock lock(mutex_);
    const auto count = order_of(channel).count_before({static_cast<std::uint64_t>(t.count()) + 1, 0, 0, 0});
    if (count == 0) return std::nullopt;
    return count - 1;
}

std::optional<std::uint64_t> McapTrace::log_time_at(Nanoseconds t) const
{
    for (std::uint32_t channel = 0; channel != info_.channels.size(); ++channel) {
        if (!has_timestamp(info_.channels[channel])) continue;
        if (const auto i = frame_at(channel, t)) return key_of(channel, *i).log_time;
    }
    return std::nullopt;
}

std::optional<TimeBounds> McapTrace::indexed_times(std::uint32_t channel) const
{
    check_channel(channel);
    std::optional<std::pair<std::uint64_t, std::uint64_t>> times;
    for (const auto& segment : index_.segments) {
        if (segment.count_of(channel) == 0) continue;
        times = times ? std::pair(std::min(times->first, segment.start), std::max(times->second, segment.end))
                      : std::pair(segment.start, segment.end);
    }
    if (!times) return std::nullopt;
    return TimeBounds{log_time_of(times->first), log_time_of(times->second)};
}

std::vector<TracePlace> McapTrace::places(std::uint64_t apart) const
{
    std::vector<TracePlace> found;
    for (const auto& segment : index_.segments)
        if (found.empty() || segment.offset >= found.back().offset + apart)
            found.push_back({std::nullopt, segment.offset, log_time_of(segment.start)});
    return found;
}

std::unique_ptr<TraceReader> McapTrace::reader() const
{
    return mcap_cursor(std::static_pointer_cast<const McapTrace>(shared_from_this()));
}

Frame McapTrace::read(const MessageKey& key, const SegmentLoader::Loaded& loaded) const
{
    auto frame = loader_.message(key, loaded);
    if (!loaded->confirmed) check_holds_one(frame);
    frame.time = readable_timestamp(frame.bytes, info_.channels[frame.channel], {.offset = frame.offset});
    return frame;
}

void McapTrace::check_holds_one(const Frame& frame) const
{
    const auto knows = [this](std::uint16_t id) { return index_.channels.place_of(id).has_value(); };
    if (const auto right = MessageJudge().length_before_records(info_.channels[frame.channel], frame.bytes, knows))
        throw length_covers_records(mcap::Opcode::message, frame.bytes.size(), *right)
            .within({.file = file_->name(), .offset = frame.offset});
}

void McapTrace::check_rest(const std::stop_token& stop) const
{
    const bool is_plain = std::ranges::none_of(index_.segments, &McapSegment::chunk);
    // Each piece between two chunks would be a request to a store that is far away.
    if (options_.skip_bad_frames || !file_->is_local() || (index_.walked && is_plain && !may_state_data_crc(*file_)))
        return;
    auto options = options_;
    options.on_warning = {};  // they came before
    McapReader reader(file_, options);
    reader.pass_known_chunks([this](std::uint64_t offset) -> std::optional<McapReader::KnownChunk> {
        const auto& segments = index_.segments;
        const auto found = std::ranges::lower_bound(segments, offset, {}, &McapSegment::offset);
        if (found == segments.end() || found->offset != offset || !found->chunk) return std::nullopt;
        const auto place = static_cast<std::uint32_t>(found - segments.begin());
        return McapReader::KnownChunk{found->length, found->messages, loader_.record_crc(place),
                                      loader_.declarations(place)};
    });
    reader.check_only();
    for (McapBatch batch; reader.read(batch, stop);) {
    }
}

void McapTrace::check_channel(std::uint32_t channel) const
{
    if (channel >= info_.channels.size())
        throw Error(Cause::usage, {.file = file_->name()},
                    "has " + std::to_string(info_.channels.size()) + " channels, there is no channel " +
                        std::to_string(channel));
}

MessageKey McapTrace::key_of(std::uint32_t channel, std::uint64_t i) const
{
    check_channel(channel);
    if (i >= count_of(channel))
        throw Error(
            Cause::usage, {.file = file_->name()},
            "there is no frame " + std::to_string(i) + ", the channel has " + std::to_string(count_of(channel)));
    const std::scoped_lock lock(mutex_);
    try {
        return order_of(channel).at(i);
    } catch (const Error& error) {
        throw error.within({.file = file_->name()});
    }
}

MessageOrder& McapTrace::order_of(std::uint32_t channel) const
{
    auto& order = orders_[channel];
    if (!order) order = std::make_unique<MessageOrder>(index_, order_, loader_, channel);
    return *order;
}

std::shared_ptr<const Trace> open_mcap_trace(std::shared_ptr<const RandomAccess> file, std::string_view compression,
                                             const OpenOptions& options)
{
    auto index = read_mcap_index(file, options);
    return std::make_shared<McapTrace>(std::move(file), std::move(index), compression, options);
}

}  // namespace ositrace
