// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/trace_index.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

/// How many frames are walked over before others see them.
constexpr std::size_t frames_per_step = 4096;

}  // namespace

TraceIndex::TraceIndex(const RandomAccess& file, std::size_t max_message_bytes, NextPlace next,
                       std::optional<CompleteIndex> complete)
    : file_(file), max_message_bytes_(max_message_bytes), next_(std::move(next))
{
    if (!complete) return;
    taken_ = true;
    ended_ = true;
    frames_ = complete->frames;
    marks_ = std::move(complete->marks);
    sizes_ = complete->sizes;
}

TraceIndex::TraceIndex(const RandomAccess& file, PrefixWalkerOptions options, std::optional<CompleteIndex> complete)
    : TraceIndex(
          file, options.max_message_bytes,
          [walker = std::make_shared<PrefixWalker>(file, options)] { return walker->next(); }, std::move(complete))
{
}

std::uint64_t TraceIndex::frame_count()
{
    while (walk_on(std::numeric_limits<std::uint64_t>::max())) {
    }
    const std::lock_guard lock(known_);
    if (failure_) throw *failure_;
    return frames_;
}

FrameSizes TraceIndex::frame_sizes()
{
    while (walk_on(std::numeric_limits<std::uint64_t>::max())) {
    }
    const std::lock_guard lock(known_);
    return sizes_;
}

std::vector<IndexMark> TraceIndex::marks()
{
    static_cast<void>(frame_sizes());
    const std::lock_guard lock(known_);
    return marks_;
}

std::optional<FramePlace> TraceIndex::find(std::uint64_t frame)
{
    while (walk_on(frame)) {
    }
    IndexMark mark;
    Lengths repaired;
    {
        const std::lock_guard lock(known_);
        if (frame >= frames_ && failure_) throw *failure_;
        if (frame >= frames_) return std::nullopt;
        mark = mark_before(frame);
        repaired = repaired_;
    }
    return walk_from(mark, frame, repaired);
}

std::optional<CompleteIndex> TraceIndex::take_if_walked_for(std::chrono::nanoseconds least)
{
    const std::scoped_lock lock(walking_, known_);
    if (!ended_ || failure_ || gaps_ || walked_for_ <= least || std::exchange(taken_, true)) return std::nullopt;
    return CompleteIndex{frames_, marks_, sizes_};
}

/// One step further; false when `frame` is known or nothing further can be.
bool TraceIndex::walk_on(std::uint64_t frame)
{
    const auto done = [&] {
        const std::lock_guard lock(known_);
        return ended_ || frame < frames_;
    };
    if (done()) return false;
    const std::lock_guard walk(walking_);
    if (done()) return false;
    auto step = walk_towards(frame);
    const std::lock_guard lock(known_);
    for (const auto& place : step.places) note(place);
    ended_ = step.ended;
    failure_ = std::move(step.failure);
    return !ended_ && frame >= frames_;
}

TraceIndex::Step TraceIndex::walk_towards(std::uint64_t frame)
{
    const auto begin = std::chrono::steady_clock::now();
    Step step;
    try {
        while (!step.ended && step.places.size() < frames_per_step &&
               (step.places.empty() || step.places.back().frame < frame)) {
            const auto place = next_();
            step.ended = !place;
            if (place) step.places.push_back(*place);
        }
    } catch (const Error& error) {
        step.failure = error;
        step.ended = true;
    }
    walked_for_ += std::chrono::steady_clock::now() - begin;
    return step;
}

void TraceIndex::note(const FramePlace& place)
{
    const std::uint64_t length = place.length;
    sizes_.smallest = frames_ == 0 ? length : std::min(sizes_.smallest, length);
    sizes_.largest = std::max(sizes_.largest, length);
    sizes_.total += length;
    frames_ = place.frame + 1;
    gaps_ = gaps_ || place.after_gap || place.repaired;
    if (place.repaired) repaired_[place.frame] = place.length;
    const bool due = marks_.empty() || place.after_gap || place.offset - marks_.back().offset >= mark_bytes ||
                     place.frame - marks_.back().frame >= mark_frames;
    if (due) marks_.push_back({place.frame, place.offset});
}

IndexMark TraceIndex::mark_before(std::uint64_t frame) const
{
    const auto after =
        std::upper_bound(marks_.begin(), marks_.end(), frame,
                         [](std::uint64_t wanted, const IndexMark& mark) { return wanted < mark.frame; });
    return *std::prev(after);
}

/// The frames between were visited before, but the file may have changed since, or the mark may come from a broken
/// cache.
FramePlace TraceIndex::walk_from(IndexMark mark, std::uint64_t frame, const Lengths& repaired) const
{
    SmallReads reads(file_);
    for (auto offset = mark.offset;; ++mark.frame) {
        try {
            const auto bytes = reads.at(offset, prefix_bytes);
            auto length = length_prefix::length_at(bytes);
            if (!length) throw length_prefix::truncated_prefix(bytes.size());
            if (const auto known = repaired.find(mark.frame); known != repaired.end()) length = known->second;
            length_prefix::check_length(*length, max_message_bytes_, file_.size() - offset - prefix_bytes);
            if (mark.frame == frame) return {frame, offset, *length};
            offset += prefix_bytes + *length;
        } catch (const Error& error) {
            if (!error.where().file.empty()) throw;
            throw error.within({.file = file_.name(), .frame = mark.frame, .offset = offset});
        }
    }
}

}  // namespace ositrace
