// SPDX-License-Identifier: MPL-2.0
#include "lib/play/frame_queue.hpp"

#include <algorithm>
#include <utility>

#include "lib/trace/payload_header.hpp"

namespace ositrace {

SectionReader::SectionReader(FrameSource& source, TraceReader* cursor, const PlayedSection& section)
    : source_(source), cursor_(cursor), section_(section), position_{0, section.times.from}
{
    if (section.from_first_frame) return;
    if (cursor) seek(position_);
    else from_ = section.times.from;
}

std::optional<DueFrame> SectionReader::next(const std::stop_token& stop)
{
    DueFrame due;
    for (;;) {
        if (!source_.read(due.frame, stop)) {
            if (stop.stop_requested() || !next_round()) return std::nullopt;
            continue;
        }
        auto& frame = due.frame;
        if (!frame.time) frame.time = readable_timestamp(frame.bytes, source_.info().channels.at(frame.channel));
        const auto time = frame.time ? frame.time : frame.log_time;
        if (is_before_start(time)) continue;
        if (time && *time >= section_.times.to) {
            if (!next_round()) return std::nullopt;
            continue;
        }
        from_.reset();
        if (time) position_.time = std::max(position_.time, *time);  // one that goes backward is due at once
        due.moment = position_;
        return due;
    }
}

bool SectionReader::next_round()
{
    if (!cursor_ || position_.round + 1 == section_.rounds) return false;
    const Moment start{position_.round + 1, section_.times.from};
    if (!section_.from_first_frame) {
        seek(start);
    } else {
        position_ = start;
        cursor_->seek_frame(0);
    }
    return true;
}

void SectionReader::seek(Moment moment)
{
    position_ = moment;
    from_ = moment.time;
    cursor_->seek_time(moment.time);
}

std::optional<DueFrame> HoldReader::next(const std::stop_token& stop)
{
    while (gathered_.empty()) {
        if (!gather(stop)) return std::nullopt;
    }
    auto next = std::move(gathered_.front());
    gathered_.pop_front();
    return next;
}

/// Goes on by one tick; false at the end.
bool HoldReader::gather(const std::stop_token& stop)
{
    if (!read_ahead(stop)) return false;
    if (!start_) start_ = ahead_->moment.time;
    const Moment tick{round_, *start_ + static_cast<std::int64_t>(tick_) * step_};
    while (ahead_ && ahead_->moment <= tick) {
        held_[ahead_->frame.channel] = std::move(ahead_->frame);
        ahead_.reset();
        if (!read_ahead(stop) && stop.stop_requested()) return false;
    }
    for (const auto& [channel, frame] : held_) gathered_.push_back({frame, tick});
    ++tick_;
    if (ahead_ && ahead_->moment.round > round_) {
        round_ = ahead_->moment.round;
        tick_ = 0;
        held_.clear();
    }
    return true;
}

/// The next frame is known; false at the end, or when a stop was requested.
bool HoldReader::read_ahead(const std::stop_token& stop)
{
    if (!ahead_) ahead_ = reader_.next(stop);
    return ahead_.has_value();
}

void HoldReader::seek(Moment moment)
{
    reader_.seek(moment);
    round_ = moment.round;
    if (start_) tick_ = static_cast<std::uint64_t>((moment.time - *start_ + step_ - Nanoseconds(1)) / step_);
    ahead_.reset();
    held_.clear();
    gathered_.clear();
}

FrameQueue::FrameQueue(SectionReader& reader, HoldReader* hold, std::size_t prefetched_bytes)
    : reader_(reader), hold_(hold), prefetched_bytes_(prefetched_bytes)
{
    begin();
}

void FrameQueue::begin()
{
    const auto produce = [this](const std::stop_token& stop) { return hold_ ? hold_->next(stop) : reader_.next(stop); };
    const auto cost = [](const DueFrame& due) { return due.frame.bytes.size() + sizeof due; };
    ahead_.emplace(produce, cost, prefetched_bytes_);
}

std::optional<DueFrame> FrameQueue::take(const std::stop_token& stop)
{
    if (next_) return std::exchange(next_, std::nullopt);
    return ahead_->take(stop);
}

const DueFrame* FrameQueue::look_ahead()
{
    if (!next_) next_ = ahead_->try_take();
    return next_ ? &*next_ : nullptr;
}

void FrameQueue::seek(Moment moment)
{
    ahead_.reset();  // ends the thread that uses the reader
    next_.reset();
    hold_ ? hold_->seek(moment) : reader_.seek(moment);
    begin();
}

}  // namespace ositrace
