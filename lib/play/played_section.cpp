// SPDX-License-Identifier: MPL-2.0
#include "lib/play/played_section.hpp"

#include <algorithm>
#include <optional>

#include <ositrace/error.hpp>

#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

namespace {

/// The first and last time of a trace: OSI times, or log times if no frame has an OSI time.
struct Extent {
    std::optional<Nanoseconds> start;
    std::optional<Nanoseconds> end;
    void include(Nanoseconds time)
    {
        start = std::min(start.value_or(time), time);
        end = std::max(end.value_or(time), time);
    }
};

/// The first frame of a channel that has an OSI time. Nearly always frame 0.
std::optional<Frame> first_timed(const Trace& trace, std::uint32_t channel)
{
    if (trace.frame_count(channel) == 0) return std::nullopt;
    if (auto frame = trace.frame(channel, 0); frame.time) return frame;
    const auto last = trace.frame_at(channel, Nanoseconds::max());  // reads all frames
    for (std::uint64_t i = 1; last && i <= *last; ++i) {
        auto frame = trace.frame(channel, i);
        if (frame.time) return frame;
        if (frame.log_time) return std::nullopt;  // found by its log time: no frame of the channel has an OSI time
    }
    return std::nullopt;
}

std::optional<Nanoseconds> last_time(const Trace& trace, std::uint32_t channel)
{
    if (const auto time = trace.frame(channel, trace.frame_count(channel) - 1).time) return time;
    const auto last = trace.frame_at(channel, Nanoseconds::max());
    return last ? trace.frame(channel, *last).time : std::nullopt;
}

void include_osi_times(const Trace& trace, std::uint32_t channel, Extent& extent, Nanoseconds& log_ahead)
{
    const auto first = first_timed(trace, channel);
    if (!first) return;
    if (!extent.start && first->log_time) log_ahead = distance(*first->time, *first->log_time);
    extent.include(*first->time);
    if (const auto last = last_time(trace, channel)) extent.include(*last);
}

void include_log_times(const Trace& trace, std::uint32_t channel, Extent& extent)
{
    const auto frames = trace.frame_count(channel);
    if (frames == 0) return;
    for (const auto i : {std::uint64_t{0}, frames - 1})
        if (const auto time = trace.frame(channel, i).log_time) extent.include(*time);
}

Nanoseconds mean_step(const Trace& trace, const Extent& extent)
{
    std::uint64_t frames = 0;
    for (std::uint32_t channel = 0; channel < trace.info().channels.size(); ++channel)
        frames = std::max(frames, trace.frame_count(channel));
    if (frames < 2 || !extent.start) return Nanoseconds(1);
    return std::max(Nanoseconds(1), distance(*extent.start, *extent.end) / static_cast<std::int64_t>(frames - 1));
}

/// After the first tick at or after the last frame, so that this frame is included.
Nanoseconds end_of_ticks(Nanoseconds from, Nanoseconds last, Nanoseconds step)
{
    const auto ticks = (distance(from, std::max(from, last)).count() - 1) / step.count() + 2;
    std::int64_t length = 0;
    if (last <= from) return sum_of(from, step);
    if (__builtin_mul_overflow(ticks, step.count(), &length)) return Nanoseconds::max();
    return sum_of(from, Nanoseconds(length));
}

}  // namespace

Nanoseconds sum_of(Nanoseconds a, Nanoseconds b) noexcept
{
    std::int64_t result = 0;
    if (!__builtin_add_overflow(a.count(), b.count(), &result)) return Nanoseconds(result);
    return b.count() > 0 ? Nanoseconds::max() : Nanoseconds::min();
}

namespace {

PlayedSection section_of_intact(const Trace& trace, const PlayOptions& options)
{
    PlayedSection section;
    Extent extent;
    const auto channels = static_cast<std::uint32_t>(trace.info().channels.size());
    for (std::uint32_t channel = 0; channel < channels; ++channel)
        include_osi_times(trace, channel, extent, section.log_ahead);
    for (std::uint32_t channel = 0; channel < channels && !extent.start; ++channel)
        include_log_times(trace, channel, extent);
    section.rounds = options.rounds;
    section.step = mean_step(trace, extent);
    section.from_first_frame = !options.from;
    section.to_last_frame = !options.to;
    auto& [from, to] = section.times;
    from = options.from ? *options.from : extent.start.value_or(Nanoseconds(0));
    if (!options.from && options.to)
        from = std::min(from, sum_of(*options.to, Nanoseconds(-1)));  // the first frame may lie after the end
    const auto last = extent.end.value_or(from);
    to = options.step_size ? end_of_ticks(from, last, *options.step_size) : sum_of(last, section.step);
    // Ticks end with the trace, even if `to` is much later.
    if (options.to) to = options.step_size && extent.end ? std::min(to, *options.to) : *options.to;
    to = std::max(to, sum_of(from, Nanoseconds(1)));
    return section;
}

/// The end time is unknown if the end of the file cannot be read.
PlayedSection section_up_to_damage(const Trace& trace, const PlayOptions& options)
{
    PlayedSection section;
    Extent extent;
    for (std::uint32_t channel = 0; channel < trace.info().channels.size(); ++channel) {
        try {
            if (const auto time = trace.frame(channel, 0).time) extent.include(*time);
        } catch (const Error&) {  // no frame, or none before the damage: playing reports it
        }
    }
    section.to_last_frame = !options.to;
    section.times = {extent.start.value_or(Nanoseconds(0)), options.to.value_or(Nanoseconds::max())};
    return section;
}

}  // namespace

PlayedSection section_of(const Trace& trace, const PlayOptions& options)
try {
    return section_of_intact(trace, options);
} catch (const Error& e) {
    if (e.cause() == Cause::usage || options.from || options.rounds != 1) throw;
    return section_up_to_damage(trace, options);
}

PlayedSection section_of(const PlayOptions& options)
{
    PlayedSection section;
    section.from_first_frame = !options.from;
    section.to_last_frame = !options.to;
    section.times = {options.from.value_or(Nanoseconds::min()), options.to.value_or(Nanoseconds::max())};
    return section;
}

}  // namespace ositrace
