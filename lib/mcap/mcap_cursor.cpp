// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_cursor.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

/// Unpacked and not yet taken.
constexpr std::size_t read_ahead_bytes = std::size_t{4} << 20;
constexpr std::size_t batch_bytes = std::size_t{1} << 20;
constexpr std::size_t batch_frames = 512;

}  // namespace

McapCursor::McapCursor(std::shared_ptr<const McapTrace> trace) : trace_(std::move(trace)), order_(trace_->order_of_all()) {}

bool McapCursor::read(Frame& frame, std::stop_token stop)
{
    while (place_ == batch_.frames.size()) {
        batch_ = {};
        place_ = 0;
        if (stop.stop_requested()) return false;
        if (!ahead_)
            ahead_.emplace([this](const std::stop_token& ended) { return next_batch(ended); }, [](const Batch& batch) { return batch.bytes; },
                           read_ahead_bytes);
        auto next = ahead_->take(stop);
        if (!next) return false;
        batch_ = std::move(*next);
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
        while (ahead_of_ < order_.size() && batch.bytes < batch_bytes && batch.frames.size() < batch_frames && !stop.stop_requested()) {
            const auto& key = order_.at(ahead_of_);
            auto frame = trace_->read(key);
            frame.index = ahead_of_++;
            batch.bytes += frame.bytes.size() + sizeof frame;
            batch.place = std::max(batch.place, trace_->place_of(key));
            batch.frames.push_back(std::move(frame));
        }
        if (batch.frames.empty() && !stop.stop_requested()) trace_->check_damage();
    } catch (const Error& error) {
        failure_ = std::make_exception_ptr(Error(error.cause(), {.file = trace_->info().file, .frame = ahead_of_, .offset = error.where().offset, .field = error.where().field}, error.reason()));
        if (batch.frames.empty()) std::rethrow_exception(failure_);
    }
    if (batch.frames.empty()) return std::nullopt;
    return batch;
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
    next_ = ahead_of_ = i;
}

}  // namespace ositrace
