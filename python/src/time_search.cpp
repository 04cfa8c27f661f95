// SPDX-License-Identifier: MPL-2.0
#include "python/src/time_search.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include <ositrace/frame_error.hpp>

#include "lib/trace/frame_by_time.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace::python {

namespace {

[[noreturn]] void refuse_order(const OpenTrace& trace, std::uint64_t frame)
{
    throw Error(Cause::unsupported, {.file = trace.trace->info().file, .frame = frame, .offset = {}, .field = {}},
                "the times of the trace go backward, so its frames cannot be found by time; read all frames, or "
                "extract the part with cut(), which reads all of them");
}

}  // namespace

TimeSearch::TimeSearch(const OpenTrace& trace, std::uint32_t channel)
    : trace_(trace), channel_(channel), count_(trace.trace->frame_count(channel))
{
}

std::optional<std::uint64_t> TimeSearch::at(Nanoseconds t)
{
    auto found = last_until(t);
    for (auto i = found ? *found + 1 : 0; i < count_; ++i) {
        const auto time = time_of(i);
        if (time && *time > t) break;
        if (time) found = i;
    }
    return found;
}

FoundFrames TimeSearch::in(const TimeSpan& span)
{
    const auto first = first_from(span.from);
    return {first, span.to ? std::max(first, first_from(span.to)) : count_};
}

/// Of an MCAP file by its index, which is at hand.
std::optional<std::uint64_t> TimeSearch::last_until(Nanoseconds t)
{
    const auto found = trace_.trace->info().container.several_channels
                           ? trace_.trace->frame_at(channel_, t)
                           : last_frame_until(count_, t, [&](std::uint64_t i) { return stated_time(i); });
    if (found) static_cast<void>(stated_time(*found));
    return found;
}

/// The first frame with a time that is not before t, or with any time.
std::uint64_t TimeSearch::first_from(std::optional<Nanoseconds> t)
{
    const auto before = t && *t != Nanoseconds::min() ? last_until(*t - Nanoseconds(1)) : std::nullopt;
    auto i = before ? *before + 1 : 0;
    for (; i < count_; ++i)
        if (const auto time = time_of(i); time && (!t || *time >= *t)) break;
    return i;
}

/// Empty for a frame without a timestamp, or one that cannot be read.
std::optional<Nanoseconds> TimeSearch::stated_time(std::uint64_t i)
{
    const auto known = seen_.find(i);
    if (known != seen_.end()) return known->second;
    const auto& trace = *trace_.trace;
    const auto time = has_timestamp(channel()) ? trace.frame_time(channel_, i) : trace.log_time(channel_, i);
    if (time) note(i, *time);
    return time;
}

/// Of a frame beside those that are found, so that none is passed over.
std::optional<Nanoseconds> TimeSearch::time_of(std::uint64_t i)
{
    if (const auto time = stated_time(i)) return time;
    const auto frame = trace_.trace->frame(channel_, i);
    try {
        if (has_timestamp(channel())) static_cast<void>(timestamp_of(frame.bytes, channel()));
    } catch (const Error& error) {
        const auto full = within_frame(error, frame, trace_.trace->info().file);
        if (!trace_.skips_damage) throw full;
        trace_.skipped->add(std::string(full.what()) + " (the frame has no time)");
    }
    if (frame.log_time) note(i, *frame.log_time);
    return frame.log_time;
}

void TimeSearch::note(std::uint64_t i, Nanoseconds time)
{
    const auto seen = seen_.emplace(i, time).first;
    if (seen != seen_.begin() && std::prev(seen)->second > time) refuse_order(trace_, i);
    const auto next = std::next(seen);
    if (next != seen_.end() && next->second < time) refuse_order(trace_, next->first);
}

void check_is_in(const TimeSpan& span, const Frame& frame, const OpenTrace& trace)
{
    if (frame.time && !span.contains(*frame.time)) refuse_order(trace, frame.index);
}

}  // namespace ositrace::python
