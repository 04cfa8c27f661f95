// SPDX-License-Identifier: MPL-2.0
#include "python/src/time_search.hpp"

#include <algorithm>
#include <string>

#include <ositrace/frame_error.hpp>

#include "python/src/signal_check.hpp"

namespace ositrace::python {

namespace {

}  // namespace

TimeSearch::TimeSearch(const OpenTrace& trace, std::uint32_t channel)
    : trace_(trace), channel_(channel), count_(trace.trace->frame_count(channel))
{
}

std::optional<std::uint64_t> TimeSearch::at(Nanoseconds t)
{
    if (const auto found = in_order(true, [&] { return search_at(t); })) return *found;
    throw Error(Cause::unsupported, {.file = trace_.trace->info().file, .frame = {}, .offset = {}, .field = {}},
                "the times of the trace go backward, so no frame is the last one before a time; between() finds all "
                "frames of a range");
}

std::vector<FoundFrames> TimeSearch::in(const TimeSpan& span)
{
    const auto search = [&] {
        if (trusts_log_times_ && count_ != 0) {  // those at the ends tell of a replay that began again
            static_cast<void>(stated_time(0));
            static_cast<void>(stated_time(count_ - 1));
        }
        return search_in(span);
    };
    if (const auto found = in_order(trace_.is_far, search)) return {*found};
    return filtered(span);
}

/// nullopt: times go backward.
template <class Search>
auto TimeSearch::in_order(bool by_index, Search&& search) -> std::optional<decltype(search())>
{
    trusts_log_times_ = by_index && trace_.trace->info().container.several_channels;
    if (trusts_log_times_) try {
            return search();
        } catch (const OtherLogTime&) {
            trusts_log_times_ = false;
        }
    if (!trace_.times_go_forward(channel_)) return std::nullopt;
    return search();
}

std::optional<std::uint64_t> TimeSearch::search_at(Nanoseconds t)
{
    auto found = last_until(t);
    for (auto i = found ? *found + 1 : 0; i < count_; ++i) {
        const auto time = time_of(i);
        if (time && *time > t) break;
        if (time) found = i;
    }
    return found;
}

FoundFrames TimeSearch::search_in(const TimeSpan& span)
{
    const auto first = first_from(span.from);
    return {first, span.to ? std::max(first, first_from(span.to)) : count_};
}

/// By the times of all frames.
std::vector<FoundFrames> TimeSearch::filtered(const TimeSpan& span)
{
    SignalCheck check_signals;
    std::vector<FoundFrames> found;
    std::optional<Nanoseconds> last;
    for (std::uint64_t i = 0; i != count_; ++i) {
        check_signals();
        if (const auto time = time_of(i)) last = time;
        if (!last || !span.contains(*last)) continue;
        if (found.empty() || found.back().end != i) found.push_back({i, i});
        found.back().end = i + 1;
    }
    return found;
}

std::optional<std::uint64_t> TimeSearch::last_until(Nanoseconds t)
{
    const auto found = trace_.trace->frame_at(channel_, t);
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
        if (has_timestamp(channel())) static_cast<void>(time_in_range_of(frame, channel()));
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
    if (trusts_log_times_ && trace_.trace->log_time(channel_, i) != time) throw OtherLogTime();
    seen_.emplace(i, time);
}

bool times_go_forward(const Trace& trace, std::uint32_t channel)
{
    SignalCheck check_signals;
    const bool has_timestamps = has_timestamp(trace.info().channels[channel]);
    std::optional<Nanoseconds> last;
    for (std::uint64_t i = 0; i != trace.frame_count(channel); ++i) try {
            check_signals();
            auto time = has_timestamps ? trace.frame_time(channel, i) : std::nullopt;
            if (!time && trace.info().container.several_channels) time = trace.log_time(channel, i);
            if (time && last && *time < *last) return false;
            if (time) last = time;
        } catch (const Error& error) {
            if (!is_damage(error)) throw;  // damage is met by who reads the frame
        }
    return true;
}

void check_is_in(const TimeSpan& span, const Frame& frame, const OpenTrace& trace)
{
    if (!frame.time || span.contains(*frame.time)) return;
    throw Error(
        Cause::unsupported, {.file = trace.trace->info().file, .frame = frame.index, .offset = {}, .field = {}},
        "its log time is in the range, its timestamp is not, so the index of the object does not find the frames "
        "of a range. Of a copy on this machine all are found.");
}

}  // namespace ositrace::python
