// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/io/read_ahead.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/mcap_trace.hpp"
#include "lib/system/processors.hpp"

namespace ositrace {

namespace {

/// Unpacked and not read yet.
constexpr std::size_t read_ahead_bytes = std::size_t{4} << 20;
constexpr std::size_t batch_bytes = std::size_t{1} << 20;
constexpr std::size_t batch_frames = 512;
/// Messages that are gathered from chunks all over the file.
constexpr std::size_t gather_bytes = std::size_t{16} << 20;
constexpr std::size_t max_gathered = 65'536;

/// Loads segments on threads before a cursor needs them, in the order of their earliest log times.
class SegmentsAhead {
public:
    explicit SegmentsAhead(const McapTrace& trace)
        : index_(trace.index()),
          order_(trace.segment_order()),
          loader_(trace.loader()),
          places_(index_.segments.size()),
          alone_(index_.segments.size()),
          queue_(trace.threads())
    {
        for (std::size_t place = 0; place != order_.by_start().size(); ++place)
            places_[order_.by_start()[place]] = place;
        for (const auto& cluster : order_.clusters())
            if (cluster.end - cluster.begin == 1) alone_[order_.by_start()[cluster.begin]] = true;
    }

    /// The segment, which stays until the next call; the following ones are begun. Throws Error naming file and byte.
    const SegmentLoader::Loaded& at(std::uint32_t segment)
    {
        if (segment == current_segment_) return current_;
        current_segment_ = ~0u;
        current_ = nullptr;  // its memory is free for the next
        if (queue_.contains(segment)) {
            while (queue_.front() != segment) try {
                    static_cast<void>(queue_.take());  // the loader keeps it for a while
                } catch (const Error&) {
                    // It is thrown when the segment is needed.
                }
            current_ = queue_.take();
        } else {
            // Where segments overlap in time, the cursor needs some again; the loader keeps those last used.
            if (queue_.empty()) next_ = std::max(next_, places_[segment] + 1);
            begin_following();
            current_ = loader_.load(segment, alone_[segment]);
        }
        current_segment_ = segment;
        begin_following();
        return current_;
    }

private:
    void begin_following()
    {
        const auto& by_start = order_.by_start();
        while (next_ != by_start.size() && !queue_.full()) {
            const auto segment = by_start[next_++];
            const auto& known = index_.segments[segment];
            queue_.add(
                segment, known.length, known.unpacked,
                [&loader = loader_, segment, once = bool(alone_[segment])] { return loader.load(segment, once); });
        }
    }

    const McapIndex& index_;
    const SegmentOrder& order_;
    SegmentLoader& loader_;
    std::vector<std::size_t> places_;  ///< by segment: its place in order_.by_start()
    std::vector<bool> alone_;          ///< by segment: it overlaps no other in time, so it is needed once
    std::size_t next_ = 0;             ///< place of the segment to be begun next
    std::uint32_t current_segment_ = ~0u;
    SegmentLoader::Loaded current_;
    ChunkQueue<SegmentLoader::Loaded> queue_;  // last: its threads use the loader
};

/// A cursor on an MCAP file in the order of log times, which reads and unpacks ahead on threads; it begins anew at
/// every seek.
class McapCursor final : public TraceReader {
public:
    explicit McapCursor(std::shared_ptr<const McapTrace> trace)
        : trace_(std::move(trace)), order_(trace_->order_of_all())
    {
    }

    const TraceInfo& info() const noexcept override { return info_ ? *info_ : trace_->info(); }
    bool read(Frame& frame, std::stop_token stop) override
    {
        while (place_ == batch_.frames.size()) {
            batch_ = {};
            place_ = 0;
            if (stop.stop_requested()) return false;
            if (!ahead_ && !on_this_thread_)
                ahead_.emplace([this](const std::stop_token& ended) { return next_batch(ended); },
                               [](const CursorBatch& batch) { return batch.bytes; }, read_ahead_bytes);
            auto next = ahead_ ? ahead_->take(stop) : next_batch(stop);
            if (!next) {
                if (!stop.stop_requested()) consumed_ = trace_->file_bytes();
                return false;
            }
            batch_ = std::move(*next);
            for (const auto& [segment, count] : batch_.application_records) {
                if (!counted_.insert(segment).second) continue;
                if (!info_) info_ = trace_->info();
                info_->application_records += count;
            }
            consumed_ = std::max(consumed_, batch_.place);
        }
        frame = std::move(batch_.frames[place_++]);
        next_ = frame.index + 1;
        return true;
    }

    std::uint64_t bytes_consumed() const noexcept override { return consumed_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return trace_->file_bytes(); }
    void seek_frame(std::uint64_t i) override
    {
        if (i == next_) return;
        begin_at(i);
    }

    void seek_time(Nanoseconds t) override
    {
        const auto log_time = trace_->log_time_at(t);
        if (!log_time) return begin_at(0);
        auto order = trace_->order_of_all();
        begin_at(order.count_before({*log_time, 0, 0, 0}));
    }

private:
    struct CursorBatch {
        std::vector<Frame> frames;
        std::size_t bytes = 0;
        std::uint64_t place = 0;                                                   ///< in the file, for progress
        std::vector<std::pair<std::uint32_t, std::uint64_t>> application_records;  ///< by segment, where it has some

        void count(const Frame& frame, std::uint32_t segment, const ChunkBytes& loaded)
        {
            bytes += frame.bytes.size() + sizeof frame;
            place = std::max(place, frame.offset);
            const bool noted = !application_records.empty() && application_records.back().first == segment;
            if (loaded.application_records != 0 && !noted)
                application_records.emplace_back(segment, loaded.application_records);
        }
    };
    std::optional<CursorBatch> next_batch(const std::stop_token& stop)
    {
        if (failure_) std::rethrow_exception(failure_);
        CursorBatch batch;
        try {
            if (!scattered() || !gather(batch)) read_on(batch, stop);
            const auto& damage = trace_->index().damage;
            if (damage && batch.frames.empty() && !stop.stop_requested()) throw Error(*damage);
            if (began_at_ == 0 && ahead_of_ == order_.size() && !stop.stop_requested()) {
                began_at_ = ~std::uint64_t{0};
                trace_->check_rest(stop);
            }
        } catch (const Error& error) {
            const auto& where = error.where();
            failure_ = std::make_exception_ptr(error.moved_to(
                {.file = trace_->info().file, .frame = ahead_of_, .offset = where.offset, .field = where.field}));
            if (batch.frames.empty()) std::rethrow_exception(failure_);
        }
        if (batch.frames.empty()) return std::nullopt;
        return batch;
    }

    void read_on(CursorBatch& batch, const std::stop_token& stop)
    {
        while (ahead_of_ < order_.size() && batch.bytes < batch_bytes && batch.frames.size() < batch_frames &&
               !stop.stop_requested()) {
            const auto& key = order_.at(ahead_of_);
            if (!segments_) segments_.emplace(*trace_);
            const auto& segment = segments_->at(key.segment);
            auto frame = trace_->read(key, segment);
            frame.index = ahead_of_++;
            batch.count(frame, key.segment, *segment);
            batch.frames.push_back(std::move(frame));
        }
    }

    /// Do the next messages jump between more chunks than are kept?
    [[nodiscard]] bool scattered()
    {
        constexpr std::size_t few_segments = 8;
        std::set<std::uint32_t> segments;
        std::size_t jumps = 0;
        std::uint32_t last = ~0u;
        for (auto i = ahead_of_; i < order_.size() && i - ahead_of_ < batch_frames; ++i) {
            if (i != ahead_of_ && !order_.knows(i)) break;
            const auto segment = order_.at(i).segment;
            segments.insert(segment);
            jumps += segment != last ? 1 : 0;
            last = segment;
        }
        return segments.size() > few_segments && jumps > 4 * segments.size();
    }

    /// Takes many messages chunk by chunk, so that each chunk is unpacked once for all of them. False: one of them is
    /// broken.
    bool gather(CursorBatch& batch)
    try {
        std::vector<std::pair<MessageKey, std::size_t>> wanted;
        for (auto i = ahead_of_; i < order_.size() && wanted.size() < gathered_ && (i == ahead_of_ || order_.knows(i));
             ++i)
            wanted.emplace_back(order_.at(i), wanted.size());
        std::sort(wanted.begin(), wanted.end(),
                  [](const auto& a, const auto& b) { return a.first.segment < b.first.segment; });
        CursorBatch gathered;
        gathered.frames.resize(wanted.size());
        for (const auto& [key, place] : wanted) {
            const auto segment = trace_->loader().load(key.segment);
            auto frame = trace_->read(key, segment);
            // A copy: it keeps no chunk alive.
            auto bytes = std::make_shared<const std::vector<std::byte>>(frame.bytes.begin(), frame.bytes.end());
            frame.bytes = *bytes;
            frame.owner = std::move(bytes);
            frame.owner_bytes = frame.bytes.size();
            frame.index = ahead_of_ + place;
            gathered.count(frame, key.segment, *segment);
            gathered.frames[place] = std::move(frame);
        }
        if (gathered.bytes > gather_bytes)
            gathered_ = std::max<std::size_t>(gathered_ / 2, 1);
        else if (gathered.bytes < gather_bytes / 2)
            gathered_ = std::min<std::size_t>(gathered_ * 2, max_gathered);
        ahead_of_ += wanted.size();
        batch = std::move(gathered);
        return true;
    } catch (const Error&) {
        return false;
    }

    void begin_at(std::uint64_t i)
    {
        ahead_.reset();
        batch_ = {};
        place_ = 0;
        failure_ = nullptr;
        segments_.reset();
        next_ = ahead_of_ = began_at_ = i;
    }

    std::shared_ptr<const McapTrace> trace_;
    std::optional<TraceInfo> info_;                   ///< if it differs from that of the trace
    bool on_this_thread_ = usable_processors() == 1;  ///< threads would only take turns
    MessageOrder order_;                              // of the thread while it runs
    std::optional<SegmentsAhead> segments_;           // of the thread
    std::uint64_t ahead_of_ = 0;                      ///< the next message that the thread reads
    std::exception_ptr failure_;                      // of the thread: thrown after the frames before it
    std::size_t gathered_ = 512;                      ///< messages that gather() takes at once
    std::set<std::uint32_t> counted_;                 ///< segments whose records of an application are
    std::uint64_t began_at_ = 0;  ///< the first message; of the thread, and more than all when it has ended
    std::uint64_t next_ = 0;      ///< the next frame to be delivered
    CursorBatch batch_;
    std::size_t place_ = 0;  ///< in batch_.frames
    std::uint64_t consumed_ = 0;
    std::optional<ReadAhead<CursorBatch>> ahead_;  // last: its thread uses the above
};

}  // namespace

std::unique_ptr<TraceReader> mcap_cursor(std::shared_ptr<const McapTrace> trace)
{
    return std::make_unique<McapCursor>(std::move(trace));
}

}  // namespace ositrace
