// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/length_prefixed_trace.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/framing/trailing_length.hpp"
#include "lib/io/file_source.hpp"
#include "lib/length_prefixed/index_cache.hpp"
#include "lib/length_prefixed/length_prefixed_stream.hpp"
#include "lib/length_prefixed/swallowed_frame.hpp"
#include "lib/trace/frame_by_time.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

bool is_flat(const TraceInfo& info)
{
    return !info.channels.empty() && info.channels.front().format.encoding == Encoding::flatbuffers;
}

std::optional<CompleteIndex> stored_index(const RandomAccess& file, const IndexKeeping& keeping)
{
    if (file.size() < keeping.least_file_bytes) return std::nullopt;
    return load_index(keeping.directory, file);
}

/// The places of the frames of a source.
class SalvagedPlaces {
public:
    SalvagedPlaces(const RandomAccess& file, std::shared_ptr<FrameSource> source)
        : file_(file), source_(std::move(source))
    {
    }

    std::optional<FramePlace> next()
    {
        Frame frame;
        if (!source_->read(frame)) return std::nullopt;
        std::array<std::byte, prefix_bytes> prefix;
        static_cast<void>(file_.read_at(frame.offset, prefix));
        const auto length = static_cast<std::uint32_t>(frame.bytes.size());
        const bool after_gap = frame.offset != std::exchange(end_, frame.offset + prefix_bytes + length);
        return FramePlace{frame.index, frame.offset, length, after_gap, load_le32(prefix.data()) != length};
    }

private:
    const RandomAccess& file_;
    std::shared_ptr<FrameSource> source_;
    std::uint64_t end_ = 0;  ///< of the frame before
};

}  // namespace

/// A stream that starts again at every seek. Frames carry their time where it can be read.
class LengthPrefixedTrace::Cursor final : public TraceReader {
public:
    explicit Cursor(std::shared_ptr<const LengthPrefixedTrace> trace) : trace_(std::move(trace)) {}

    const TraceInfo& info() const noexcept override { return trace_->info(); }
    bool read(Frame& frame, std::stop_token stop) override
    {
        if (trace_->salvaged_) return read_found(frame, stop);
        if (!stream_) stream_ = stream_from(next_);
        if (!stream_->read(frame, stop)) {
            if (stop.stop_requested()) stream_.reset();  // it would report its end for ever
            return false;
        }
        frame.time = readable_timestamp(frame.bytes, info().channels.front(), {.frame = frame.index});
        next_ = frame.index + 1;
        return true;
    }
    std::uint64_t bytes_consumed() const noexcept override { return stream_ ? stream_->bytes_consumed() : 0; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return trace_->file_->size(); }
    void seek_frame(std::uint64_t i) override
    {
        if (i == next_) return;
        stream_.reset();
        next_ = i;
    }
    void seek_time(Nanoseconds t) override { seek_frame(trace_->frame_at(0, t).value_or(0)); }

private:
    /// After damage only the index knows where a frame is.
    bool read_found(Frame& frame, const std::stop_token& stop)
    {
        if (stop.stop_requested() || !trace_->index_.find(next_)) return false;
        frame = trace_->frame(0, next_++);
        return true;
    }
    [[nodiscard]] std::unique_ptr<LengthPrefixedStream> stream_from(std::uint64_t i) const
    {
        const auto& options = trace_->options_;
        const auto place = trace_->index_.find(i);
        const auto offset = place ? place->offset : trace_->file_->size();
        auto reader = std::make_unique<LengthPrefixedReader>(
            std::make_unique<SeekableSource>(trace_->file_, offset),
            LengthPrefixedReaderOptions{options.max_message_bytes, options.keep_empty, i, offset});
        return std::make_unique<LengthPrefixedStream>(std::move(reader), info(),
                                                      options.keep_empty || !is_flat(info()));
    }

    std::shared_ptr<const LengthPrefixedTrace> trace_;
    std::uint64_t next_ = 0;
    std::unique_ptr<LengthPrefixedStream> stream_;  ///< from next_ on; created by read()
};

LengthPrefixedTrace::LengthPrefixedTrace(std::shared_ptr<const RandomAccess> file, TraceInfo info,
                                         LengthPrefixedTraceOptions options)
    : file_(std::move(file)),
      info_(std::move(info)),
      options_(std::move(options)),
      salvaged_(false),
      index_(*file_, {options_.max_message_bytes, options_.keep_empty, is_flat(info_)},
             stored_index(*file_, options_.keeping))
{
}

LengthPrefixedTrace::LengthPrefixedTrace(std::shared_ptr<const RandomAccess> file,
                                         std::unique_ptr<FrameSource> salvaged, std::size_t max_message_bytes)
    : file_(std::move(file)),
      info_(salvaged->info()),
      options_{.max_message_bytes = max_message_bytes},
      salvaged_(true),
      index_(*file_, max_message_bytes,
             [places = std::make_shared<SalvagedPlaces>(*file_, std::move(salvaged))] { return places->next(); })
{
}

std::uint64_t LengthPrefixedTrace::frame_count(std::uint32_t channel) const
{
    check_channel(channel);
    const auto count = index_.frame_count();
    const auto& keeping = options_.keeping;
    if (keeping.directory.empty()) return count;
    if (const auto index = index_.take_if_walked_for(keeping.least_walk))
        store_index(keeping.directory, *file_, *index);
    return count;
}

Frame LengthPrefixedTrace::frame(std::uint32_t channel, std::uint64_t i) const
{
    auto frame = read_frame(place_of(channel, i));
    if (!salvaged_) check_holds_one(frame);
    frame.time = readable_timestamp(frame.bytes, info_.channels.front(), {.frame = frame.index});
    return frame;
}

void LengthPrefixedTrace::check_holds_one(const Frame& frame) const
{
    if (!length_prefix::may_hold_frames(frame.bytes)) return;
    FrameVerifier verifier(info_.channels.front());
    if (const auto right = length_before_frames(frame.bytes, verifier))
        throw length_covers_frames(frame.bytes.size(), *right)
            .within({.file = file_->name(), .frame = frame.index, .offset = frame.offset});
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
    if (!has_timestamp(info_.channels.front())) return std::nullopt;
    return last_frame_until(count, t, [&](std::uint64_t i) { return time_of(i); });
}

std::vector<TracePlace> LengthPrefixedTrace::places(std::uint64_t apart) const
{
    std::vector<TracePlace> found;
    for (const auto& mark : index_.marks())
        if (found.empty() || mark.offset >= found.back().offset + apart)
            found.push_back({mark.frame, mark.offset, time_of(mark.frame)});
    return found;
}

std::unique_ptr<TraceReader> LengthPrefixedTrace::reader() const
{
    return std::make_unique<Cursor>(std::static_pointer_cast<const LengthPrefixedTrace>(shared_from_this()));
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
    return readable_timestamp(read_frame(place).bytes, channel, {.frame = place.frame});
}

}  // namespace ositrace
