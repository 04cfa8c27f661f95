// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/open_mcap.hpp"

#include <utility>

#include <ositrace/error.hpp>

#include "lib/io/read_ahead.hpp"
#include "lib/mcap/mcap_reader.hpp"
#include "lib/system/processors.hpp"
#include "lib/trace/unfinished.hpp"

namespace ositrace {

namespace {

/// Unpacked and not read yet: a chunk of the usual size, or one large message.
constexpr std::size_t stream_read_ahead_bytes = std::size_t{4} << 20;

std::size_t memory_of(const McapBatch& batch) { return batch.bytes + batch.frames.size() * sizeof(Frame) + 1; }

/// The messages of an MCAP file in the order of the file, read and unpacked ahead on a thread that starts with the
/// first read(), where there is a processor for it.
class McapStream final : public FrameSource {
public:
    /// Reads up to the first messages, so that the channels they belong to are known.
    McapStream(std::unique_ptr<McapReader> reader, std::string_view compression, const OpenOptions& options)
        : on_skip_(options.on_skip),
          follow_(options.follow && compression == not_compressed),
          reader_(std::move(reader)),
          on_this_thread_(options.mcap_observer != nullptr || usable_processors() == 1)
    {
        info_.file = reader_->source().name();
        info_.container = mcap_container;
        info_.compression = compression;
        info_.may_grow = true;
        try {
            while (batch_.frames.empty() && reader_->read(batch_, options.stop)) learn(batch_);
        } catch (const Error&) {
            if (info_.channels.empty()) throw;
            // The channels are known; the first read() throws the error again.
        }
        if (options.stop.stop_requested())
            throw Error(Cause::cancelled, {.file = info_.file}, "stopped while waiting for the first message");
        info_.profile = reader_->header().profile;
        info_.library = reader_->header().library;
        reader_->go_ahead();
    }

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override
    {
        if (place_ == batch_.frames.size()) frame = {};  // the last of its chunk, whose memory serves the next one
        while (place_ == batch_.frames.size())
            if (!next_batch(stop)) return false;
        frame = std::move(batch_.frames[place_++]);
        return true;
    }

    std::uint64_t bytes_consumed() const noexcept override { return reader_->source().bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return reader_->source().bytes_total(); }

private:
    bool next_batch(const std::stop_token& stop)
    {
        batch_.clear();  // releases the bytes of its frames before the next ones are read
        place_ = 0;
        if (stop.stop_requested()) return stopped();
        if (on_this_thread_) {
            if (!reader_->read(batch_, stop)) return false;
        } else {
            if (!ahead_) ahead_.emplace(batches_of<McapBatch>(*reader_), memory_of, stream_read_ahead_bytes);
            auto next = ahead_->take(stop);
            if (!next) return stop.stop_requested() ? stopped() : false;
            batch_ = std::move(*next);
        }
        learn(batch_);
        return true;
    }

    /// Always false.
    bool stopped()
    {
        ahead_.reset();  // its thread uses the reader
        const auto read = reader_->source().bytes_consumed(), position = reader_->position();
        if (std::exchange(follow_, false) && on_skip_ && read > position)
            on_skip_(unfinished(info_.file, reader_->frames(), position, read - position));
        return false;
    }

    void learn(McapBatch& batch)
    {
        append_moved(info_.channels, batch.channels);
        append_moved(info_.metadata, batch.metadata);
        append_moved(info_.attachments, batch.attachments);
        info_.application_records += std::exchange(batch.application_records, 0);
        append_moved(info_.late_channel_keys, batch.late_channel_keys);
        note_chunk_compression(info_.chunk_compression, batch.chunk_compression);
        if (on_skip_)
            for (const auto& skipped : batch.skipped) on_skip_(skipped);
    }

    TraceInfo info_;
    std::function<void(const SkippedBytes&)> on_skip_;
    bool follow_;
    McapBatch batch_;
    std::size_t place_ = 0;  ///< in batch_.frames
    std::unique_ptr<McapReader> reader_;
    bool on_this_thread_;  ///< where an observer sees the records, or threads would only take turns
    std::optional<ReadAhead<McapBatch>> ahead_;  // last: its thread uses the reader
};

}  // namespace

void note_chunk_compression(std::string& known, std::string_view compression)
{
    if (compression.empty() || (", " + known + ",").find(", " + std::string(compression) + ",") != std::string::npos)
        return;
    known += (known.empty() ? "" : ", ") + std::string(compression);
}

std::unique_ptr<FrameSource> open_mcap_stream(std::unique_ptr<ByteSource> source, std::string_view compression,
                                              const OpenOptions& options)
{
    if (const auto file = compression == not_compressed ? source->random_access() : nullptr)
        return open_mcap_stream(file, options);
    return std::make_unique<McapStream>(std::make_unique<McapReader>(std::move(source), options), compression, options);
}

std::unique_ptr<FrameSource> open_mcap_stream(const std::shared_ptr<const RandomAccess>& file,
                                              const OpenOptions& options)
{
    return std::make_unique<McapStream>(std::make_unique<McapReader>(file, options), not_compressed, options);
}

}  // namespace ositrace
