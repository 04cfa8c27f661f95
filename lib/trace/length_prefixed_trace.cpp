// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/length_prefixed_trace.hpp"

#include <array>
#include <string>
#include <utility>

#include "lib/io/file_source.hpp"
#include "lib/trace/frame_by_time.hpp"
#include "lib/trace/index_cache.hpp"
#include "lib/trace/payload_header.hpp"
#include "lib/trace/trace_cursor.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

std::optional<CompleteIndex> kept_index(const SeekableFile& file, const IndexKeeping& keeping)
{
    if (file.size() < keeping.least_file_bytes) return std::nullopt;
    return load_index(keeping.directory, file);
}

}  // namespace

LengthPrefixedTrace::LengthPrefixedTrace(std::shared_ptr<const SeekableFile> file, TraceInfo info,
                                         PrefixWalkerOptions options, IndexKeeping keeping)
    : file_(std::move(file)),
      info_(std::move(info)),
      options_(std::move(options)),
      keeping_(std::move(keeping)),
      index_(*file_, options_, kept_index(*file_, keeping_))
{
}

std::uint64_t LengthPrefixedTrace::frame_count(std::uint32_t channel) const
{
    check_channel(channel);
    const auto count = index_.frame_count();
    if (keeping_.directory.empty()) return count;
    if (const auto index = index_.take_if_walked_for(keeping_.least_walk))
        store_index(keeping_.directory, *file_, *index);
    return count;
}

Frame LengthPrefixedTrace::frame(std::uint32_t channel, std::uint64_t i) const
{
    auto frame = read_frame(place_of(channel, i));
    frame.time = readable_timestamp(frame.bytes, info_.channels.front());
    return frame;
}

std::optional<Nanoseconds> LengthPrefixedTrace::frame_time(std::uint32_t channel, std::uint64_t i) const
{
    check_channel(channel);
    return time_of(i);
}

std::uint64_t LengthPrefixedTrace::frame_bytes(std::uint32_t channel, std::uint64_t i) const
{
    return place_of(channel, i).length;
}

FrameSizes LengthPrefixedTrace::frame_sizes(std::uint32_t channel) const
{
    check_channel(channel);
    return index_.frame_sizes();
}

std::optional<std::uint64_t> LengthPrefixedTrace::frame_at(std::uint32_t channel, Nanoseconds t) const
{
    const auto count = frame_count(channel);
    if (row_of(*info_.channels.front().type).timestamp_field == 0) return std::nullopt;
    return last_frame_until(count, t, [&](std::uint64_t i) { return time_of(i); });
}

std::unique_ptr<TraceReader> LengthPrefixedTrace::reader() const
{
    return std::make_unique<TraceCursor>(std::static_pointer_cast<const LengthPrefixedTrace>(shared_from_this()));
}

std::unique_ptr<LengthPrefixedReader> LengthPrefixedTrace::read_from(std::uint64_t i) const
{
    const auto place = index_.find(i);
    const auto offset = place ? place->offset : file_->size();
    auto reader = std::make_unique<LengthPrefixedReader>(
        std::make_unique<SeekableSource>(file_, offset),
        LengthPrefixedReaderOptions{options_.max_message_bytes, options_.skip_bad_frames, i, offset});
    reader->expect(options_.plausible);
    return reader;
}

void LengthPrefixedTrace::check_channel(std::uint32_t channel) const
{
    if (channel != 0)
        throw Error(Cause::usage, {.file = file_->name()},
                    "has one channel (0), there is no channel " + std::to_string(channel));
}

FramePlace LengthPrefixedTrace::place_of(std::uint32_t channel, std::uint64_t i) const
{
    check_channel(channel);
    if (const auto place = index_.find(i)) return *place;
    throw Error(Cause::usage, {.file = file_->name()},
                "there is no frame " + std::to_string(i) + ", the trace has " + std::to_string(index_.frame_count()));
}

Frame LengthPrefixedTrace::read_frame(const FramePlace& place) const
{
    Frame frame;
    frame.index = place.frame;
    frame.offset = place.offset;
    frame.payload_offset = place.offset + prefix_bytes;
    if (place.length == 0) return frame;
    auto block = buffers_.take(place.length);
    frame.bytes = {block->data(), file_->read_at(place.offset + prefix_bytes, {block->data(), place.length})};
    frame.owner = std::move(block);
    return frame;
}

std::optional<Nanoseconds> LengthPrefixedTrace::time_of(std::uint64_t i) const
{
    const auto& channel = info_.channels.front();
    const auto place = place_of(0, i);
    if (place.length > payload_front_bytes) {
        std::array<std::byte, payload_front_bytes> front;
        const auto have = file_->read_at(place.offset + prefix_bytes, front);
        if (const auto time = timestamp_in_front(Bytes(front).first(have), channel)) return time;
    }
    return readable_timestamp(read_frame(place).bytes, channel);
}

}  // namespace ositrace
