// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_cursor.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

/// Unpacked and not yet taken.
constexpr std::size_t read_ahead_bytes = std::size_t{4} << 20;
constexpr std::size_t batch_bytes = std::size_t{1} << 20;
constexpr std::size_t batch_frames = 512;
/// Messages that are gathered from chunks all over the file.
constexpr std::size_t gather_bytes = std::size_t{16} << 20;
constexpr std::size_t max_gathered = 65'536;

}  // namespace

McapCursor::McapCursor(std::shared_ptr<const McapTrace> trace)
    : trace_(std::move(trace)), info_(trace_->info()), order_(trace_->order_of_all())
{
}

bool McapCursor::read(Frame& frame, std::stop_token stop)
{
    while (place_ == batch_.frames.size()) {
        batch_ = {};
        place_ = 0;
        if (stop.stop_requested()) return false;
        if (!ahead_)
            ahead_.emplace([this](const std::stop_token& ended) { return next_batch(ended); },
                           [](const Batch& batch) { return batch.bytes; }, read_ahead_bytes);
        auto next = ahead_->take(stop);
        if (!next) {
            if (!stop.stop_requested()) consumed_ = trace_->file_bytes();
            return false;
        }
        batch_ = std::move(*next);
        for (const auto& [segment, count] : batch_.application_records)
            if (counted_.insert(segment).second) info_.application_records += count;
        consumed_ = std::max(consumed_, batch_.place);
    }
    frame = std::move(batch_.frames[place_++]);
    next_ = frame.index + 1;
    return true;
}

std::optional<McapCursor::Batch> McapCursor::next_batch(const std::stop_token& stop)
{
    if (failure_) std::rethrow_exception(failure_);
    Batch batch;
    try {
        if (!scattered() || !gather(batch)) read_on(batch, stop);
        if (batch.frames.empty() && !stop.stop_requested()) trace_->check_damage();
    } catch (const Error& error) {
        failure_ = std::make_exception_ptr(Error(error.cause(),
                                                 {.file = trace_->info().file,
                                                  .frame = ahead_of_,
                                                  .offset = error.where().offset,
                                                  .field = error.where().field},
                                                 error.reason()));
        if (batch.frames.empty()) std::rethrow_exception(failure_);
    }
    if (batch.frames.empty()) return std::nullopt;
    return batch;
}

void McapCursor::read_on(Batch& batch, const std::stop_token& stop)
{
    while (ahead_of_ < order_.size() && batch.bytes < batch_bytes && batch.frames.size() < batch_frames &&
           !stop.stop_requested()) {
        const auto& key = order_.at(ahead_of_);
        if (!segments_) segments_.emplace(trace_->segments_ahead());
        const auto& segment = segments_->at(key.segment);
        batch.note(key.segment, *segment);
        auto frame = trace_->read(key, segment);
        frame.index = ahead_of_++;
        batch.bytes += frame.bytes.size() + sizeof frame;
        batch.place = std::max(batch.place, trace_->place_of(key));
        batch.frames.push_back(std::move(frame));
    }
}

/// Do the next messages jump between more chunks than are kept?
bool McapCursor::scattered()
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
bool McapCursor::gather(Batch& batch)
try {
    std::vector<std::pair<MessageKey, std::size_t>> wanted;
    for (auto i = ahead_of_; i < order_.size() && wanted.size() < gathered_ && (i == ahead_of_ || order_.knows(i)); ++i)
        wanted.emplace_back(order_.at(i), wanted.size());
    std::sort(wanted.begin(), wanted.end(),
              [](const auto& a, const auto& b) { return a.first.segment < b.first.segment; });
    Batch gathered;
    gathered.frames.resize(wanted.size());
    for (const auto& [key, place] : wanted) {
        const auto segment = trace_->load(key.segment);
        gathered.note(key.segment, *segment);
        auto frame = trace_->read(key, segment);
        // A copy: it keeps no chunk alive.
        auto bytes = std::make_shared<const std::vector<std::byte>>(frame.bytes.begin(), frame.bytes.end());
        frame.bytes = *bytes;
        frame.owner = std::move(bytes);
        frame.owner_bytes = frame.bytes.size();
        frame.index = ahead_of_ + place;
        gathered.bytes += frame.bytes.size() + sizeof frame;
        gathered.place = std::max(gathered.place, trace_->place_of(key));
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

void McapCursor::seek_frame(std::uint64_t i)
{
    if (i == next_) return;
    begin_at(i);
}

void McapCursor::seek_time(Nanoseconds t)
{
    const auto log_time = trace_->log_time_at(t);
    if (!log_time) return begin_at(0);
    auto order = trace_->order_of_all();
    begin_at(order.count_before({*log_time, 0, 0, 0}));
}

void McapCursor::begin_at(std::uint64_t i)
{
    ahead_.reset();
    batch_ = {};
    place_ = 0;
    failure_ = nullptr;
    segments_.reset();
    next_ = ahead_of_ = i;
}

}  // namespace ositrace
