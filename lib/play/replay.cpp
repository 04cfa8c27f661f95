// SPDX-License-Identifier: MPL-2.0
#include "lib/play/replay.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/system/process.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

namespace {

void give_up(FrameSink& sink, const std::exception_ptr& failure) noexcept
{
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        try {
            sink.failed(error.what());
        } catch (...) {  // it is given up nevertheless
        }
    } catch (...) {  // nothing to say
    }
    try {
        sink.give_up();
    } catch (...) {  // the error that ended the replay is reported instead
    }
}

/// Longer than the preparation takes, and short enough to spin.
constexpr auto prepared_before = std::chrono::microseconds(50);

/// The first step is as long as the median of so many steps.
constexpr std::size_t steps_to_know = 8;

constexpr auto long_wait = std::chrono::seconds(10);

/// A thread that reads at full speed disturbs the punctual one: playback starts when it is done, or after this time.
constexpr auto longest_filling = std::chrono::milliseconds(200);

std::unique_ptr<StepReader> make_steps(SectionReader& reader, const PlayedSource& source, const PlayedSection& section,
                                       const PlayOptions& options)
{
    if (options.step_size) return std::make_unique<HoldReader>(reader, source, section, *options.step_size);
    const bool together = source.trace != nullptr && source.trace->info().channels.size() > 1;
    return std::make_unique<MomentReader>(reader, together);
}

}  // namespace

Replay::Replay(std::shared_ptr<const Trace> trace, std::unique_ptr<TraceReader> cursor, FrameSource& source,
               const PlayedSection& section, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options)
    : trace_(std::move(trace)),
      cursor_(std::move(cursor)),
      source_(source),
      section_(section),
      sinks_(sinks.begin(), sinks.end()),
      clock_(clock),
      options_(std::move(options)),
      timeline_(section.times, section.rounds),
      carrier_(trace_ && options_.carry_static ? std::make_unique<StaticCarrier>(*trace_, options_.on_carry) : nullptr),
      played_{source_, trace_.get(), cursor_.get(), carrier_.get(), options_.skip_bad_frames, options_.on_skip},
      reader_(played_, section_),
      steps_of_reader_(make_steps(reader_, played_, section_, options_))
{
    if (options_.rate) timeline_.set_rate({}, *options_.rate);
}

PlayReport Replay::run(const std::stop_token& stop)
{
    std::span<FrameSink* const> unfinished = sinks_;
    try {
        const auto info = std::make_shared<const TraceInfo>(source_.info());
        queue_.emplace(*steps_of_reader_, options_.prefetched_bytes, !seekable());
        next_ = queue_->take(stop);
        if (!next_ && !stop.stop_requested() && options_.on_nothing) options_.on_nothing();
        const auto usual = usual_step(stop);
        const PlayStart start{next_ && next_->placed ? linear_time(next_->moment) : Nanoseconds(0), first_step(usual),
                              next_ ? std::span<const Frame>(next_->frames) : std::span<const Frame>(), usual};
        step_ = std::max(start.step, Nanoseconds(1));
        for (auto* const sink : sinks_) sink->begin(next_ ? *next_->info : *info, start);
        play_and_measure(stop);
        queue_.reset();
        for (auto* const sink : sinks_) sink->source_ended(source_.info());
        for (; !unfinished.empty(); unfinished = unfinished.subspan(1)) unfinished.front()->finish();
    } catch (...) {
        queue_.reset();
        for (auto* const sink : unfinished) give_up(*sink, std::current_exception());
        throw;
    }
    return report_;
}

Nanoseconds Replay::processor_time() const
{
    auto sum = own_processor_time();
    for (const auto* const sink : sinks_) sum += sink->other_processor_time();
    return sum;
}

Nanoseconds Replay::first_step(Nanoseconds usual) const
{
    return next_ && next_->placed && options_.start_time ? step_from(*options_.start_time) : usual;
}

/// 0 (unknown) for a live source, whose second step is not waited for.
Nanoseconds Replay::usual_step(const std::stop_token& stop)
{
    if (options_.step_size) return *options_.step_size;
    std::vector<Nanoseconds> steps;
    if (!next_ || !seekable()) return {};
    auto before = linear_time(next_->moment);
    for (std::size_t i = 0; i < steps_to_know; ++i) {
        const auto* const step = queue_->wait_ahead(i, stop);
        if (step == nullptr) break;
        const auto time = linear_time(step->moment);
        if (time > before) steps.push_back(distance(before, time));
        before = time;
    }
    if (steps.empty()) return section_.step > Nanoseconds(1) ? section_.step : Nanoseconds(0);
    const auto median = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
    std::ranges::nth_element(steps, median);
    return *median;
}

Nanoseconds Replay::step_from(Nanoseconds start) const
{
    const auto first = linear_time(next_->moment);
    if (start >= first)
        throw Error(Cause::mismatch, "the start time, " + exact_seconds_text(start) +
                                         ", must be before the first frame, at " + exact_seconds_text(first));
    return distance(start, first);
}

void Replay::play_and_measure(const std::stop_token& stop)
{
    // At a rate, playback begins when the queue is full; the time to open makes no frame late.
    if (at_a_rate() && seekable() && !paused_) queue_->fill(longest_filling, stop);
    const auto processor_before = processor_time();
    const auto started = clock_.now();
    play(stop);
    report_.played = clock_.now() - started;
    const auto processor = processor_time() - processor_before;
    if (report_.played > Nanoseconds(0))
        report_.cpu_percent =
            100.0 * static_cast<double>(processor.count()) / static_cast<double>(report_.played.count());
    report_.stopped = stop.stop_requested();
    report_.lateness = lateness_.lateness();
}

void Replay::play(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        if (asked_.exchange(false)) obey();
        if (!next_) next_ = queue_->take(stop);
        if (!next_) return;
        if (!wait_for(*next_, stop)) continue;
        auto due = *std::exchange(next_, std::nullopt);
        if (options_.drop_late) drop_late_frames(due);
        if (!due.frames.empty()) deliver(due);
    }
}

/// False: the wait was interrupted.
bool Replay::wait_for(const DueStep& due, const std::stop_token& stop)
{
    deadline_ = next_deadline_ = std::nullopt;
    if (paused_ && steps_ == 0) {
        announce_wait(due);
        return clock_.wait_until(std::nullopt, stop);
    }
    if (steps_ > 0) {
        --steps_;
        interrupted_ = true;
        if (!due.placed) return true;
        timeline_.seek(clock_.now(), due.moment);
        anchored_ = true;
        return true;
    }
    if (!at_a_rate() || !due.placed) return true;
    if (!anchored_) {  // the first frame is due now
        timeline_.seek(clock_.now(), due.moment);
        timeline_.resume(clock_.now());
        anchored_ = true;
    }
    deadline_ = timeline_.due(due.moment);
    for (auto* const sink : sinks_) sink->prepare(due.frames, *due.info);
    if (!deadline_) {
        report_long_wait(due);
        return clock_.wait_until(std::nullopt, stop);  // beyond the range of the clock: never due
    }
    if (const auto shortly = sum_of(*deadline_, -prepared_before); clock_.now() < shortly) {
        report_long_wait(due);
        announce_wait(due);
        if (!clock_.wait_until(shortly, stop)) return false;
        for (auto* const sink : sinks_) sink->prepare(due.frames, *due.info);
    }
    find_next_deadline();
    return clock_.wait_until(deadline_, stop);
}

void Replay::report_long_wait(const DueStep& due)
{
    if (long_wait_reported_ || !options_.on_long_wait) return;
    const auto wait = deadline_ ? distance(clock_.now(), *deadline_) : Nanoseconds::max();
    long_wait_reported_ = wait > long_wait;
    if (long_wait_reported_) options_.on_long_wait(due.frames.front(), wait);
}

void Replay::announce_wait(const DueStep& due)
{
    if (!anchored_) return;  // the time begins with the first step
    const auto now = timeline_.at(clock_.now());
    const auto until = due.moment.round > now.round ? section_.times.to : due.moment.time;
    const PlayWait wait{std::min(now.time, until), until, paused_ ? 0 : timeline_.rate()};
    for (auto* const sink : sinks_) sink->waiting(wait);
}

/// Called before the deadline: after a long sleep memory and code are cold, and each access costs a microsecond.
void Replay::find_next_deadline()
{
    const auto* const next = queue_->look_ahead(0);
    if (next) next_deadline_ = timeline_.due(next->moment);
}

void Replay::obey()
{
    PlayRequests asked;
    {
        const std::lock_guard lock(mutex_);
        asked = std::exchange(requests_, {});
    }
    const auto now = clock_.now();
    if (asked.rate && at_a_rate()) timeline_.set_rate(now, *asked.rate);
    if (asked.seek) seek(*asked.seek);
    if (asked.steps_forward + asked.steps_back > 0) asked.paused = true;
    if (asked.paused && *asked.paused != paused_) {
        interrupted_ = true;
        paused_ = *asked.paused;
        paused_ ? timeline_.pause(now) : timeline_.resume(now);
    }
    for (; asked.steps_back > 0; --asked.steps_back) step_back();
    steps_ += asked.steps_forward;
}

void Replay::step_back()
{
    if (!delivered_) return;
    const auto before = options_.step_size ? std::optional(sum_of(delivered_->time, -*options_.step_size))
                                           : time_before(delivered_->time);
    if (!before || *before < section_.times.from) return;
    seek(*before);
    delivered_->time = *before;
    steps_ = 1;
}

/// The latest time of a frame before `time`.
std::optional<Nanoseconds> Replay::time_before(Nanoseconds time) const
{
    std::optional<Nanoseconds> latest;
    if (time == Nanoseconds::min()) return latest;
    for (std::uint32_t channel = 0; channel < trace_->info().channels.size(); ++channel) {
        const auto place = trace_->frame_at(channel, time - Nanoseconds(1));
        if (place) latest = std::max(latest, trace_->frame(channel, *place).known_time());
    }
    return latest;
}

void Replay::seek(Nanoseconds time)
{
    interrupted_ = true;
    const Moment moment{delivered_ ? delivered_->round : 0, std::clamp(time, section_.times.from, section_.times.to)};
    next_.reset();
    queue_->seek(moment);
    timeline_.seek(clock_.now(), moment);
}

void Replay::drop_late_frames(DueStep& due)
{
    if (!next_deadline_ || *next_deadline_ > clock_.now()) return;
    const auto is_due = [&](const DueStep* step) {
        const auto deadline = step ? timeline_.due(step->moment) : std::nullopt;
        return deadline && *deadline <= clock_.now();
    };
    const auto next_of_channel_is_due = [&](const Frame& frame) {
        const auto same_channel = [&](const Frame& other) { return other.channel == frame.channel; };
        for (std::size_t i = 0;; ++i) {
            const auto* const next = queue_->look_ahead(i);
            if (!is_due(next)) return false;
            // A frame with the same time does not make this one late.
            if (next->moment > due.moment && std::ranges::any_of(next->frames, same_channel)) return true;
        }
    };
    report_.lost += std::erase_if(due.frames, next_of_channel_is_due);
}

/// An Error of a sink names its frame; in a later iteration that is not enough.
void Replay::deliver(const DueStep& due)
try {
    count(due);
    pass_on(due);
} catch (const Error& e) {
    if (due.moment.round == 0) throw;
    throw e.reworded(e.reason() + " (iteration " + std::to_string(due.moment.round + 1) + ")");
}

void Replay::pass_on(const DueStep& due)
{
    status_.now = due.placed ? step_time(due.moment) : last_time_.value_or(Nanoseconds(0));
    status_.time = due.time;
    status_.step = due.frames;
    status_.info = due.info.get();
    if (options_.on_due) options_.on_due(status_);
    for (auto* const sink : sinks_) sink->due(status_);
    for (auto* const sink : sinks_) sink->take(due.frames, status_.now, *due.info);
    if (due.placed) delivered_ = due.moment;
    for (auto* const sink : sinks_) sink->delivered(status_);
    if (options_.on_status) options_.on_status(status_);
}

void Replay::count(const DueStep& due)
{
    ++report_.steps;
    report_.frames += due.frames.size();
    if (due.placed) status_.position = due.moment;
    status_.follows = !std::exchange(interrupted_, false);
    status_.frames = report_.frames;
    status_.lost = report_.lost;
    status_.frame_bytes = 0;
    for (const auto& frame : due.frames) status_.frame_bytes += frame.bytes.size();
    if (!deadline_) return;
    status_.late = clock_.now() - *deadline_;
    for (std::size_t i = 0; i < due.frames.size(); ++i) lateness_.add(status_.late);
    if (status_.late > options_.late_after) report_.late += due.frames.size();
    status_.late_frames = report_.late;
}

/// Never goes backward: after a seek backward the time advances by a step.
Nanoseconds Replay::step_time(Moment moment)
{
    auto time = sum_of(linear_time(moment), ahead_of_linear_);
    if (last_time_ && time < *last_time_) {
        const auto wanted = sum_of(*last_time_, step_);
        ahead_of_linear_ = sum_of(ahead_of_linear_, distance(time, wanted));
        time = wanted;
    }
    if (last_time_ && time > *last_time_) step_ = distance(*last_time_, time);
    last_time_ = time;
    return time;
}

/// The trace time if all rounds followed each other in the trace.
Nanoseconds Replay::linear_time(Moment moment) const noexcept
{
    __extension__ using Wide = __int128;
    if (moment.round == 0) return moment.time;
    const auto length = Wide{section_.times.to.count()} - section_.times.from.count();
    const auto time = Wide{moment.round} * length + moment.time.count();
    return time > std::numeric_limits<std::int64_t>::max() ? Nanoseconds::max()
                                                           : Nanoseconds(static_cast<std::int64_t>(time));
}

/// Values below 2^(fine_bits + 1) have a bucket each; above, a bucket is named by the exponent and the bits after the
/// leading one.
std::size_t LatenessCounter::bucket_of(std::uint64_t value) noexcept
{
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - fine_bits - 1);
    return (static_cast<std::size_t>(shift) << fine_bits) + static_cast<std::size_t>(value >> shift);
}

std::uint64_t LatenessCounter::upper_end(std::size_t bucket) noexcept
{
    constexpr std::size_t fine = std::size_t{1} << fine_bits;
    const auto shift = bucket < 2 * fine ? 0 : bucket / fine - 1;
    return ((bucket - shift * fine + 1) << shift) - 1;
}

void LatenessCounter::add(Nanoseconds late) noexcept
{
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(0, late.count()));
    ++counts_[bucket_of(value)];
    ++count_;
    sum_ += static_cast<double>(value);
    max_ = std::max(max_, value);
}

Nanoseconds LatenessCounter::quantile(double share) const noexcept
{
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    std::uint64_t passed = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        passed += counts_[bucket];
        if (passed >= wanted) return Nanoseconds(static_cast<std::int64_t>(std::min(upper_end(bucket), max_)));
    }
    return Nanoseconds(static_cast<std::int64_t>(max_));
}

Lateness LatenessCounter::lateness() const noexcept
{
    if (count_ == 0) return {};
    const auto mean = static_cast<std::int64_t>(sum_ / static_cast<double>(count_));
    return {Nanoseconds(mean), quantile(0.5), quantile(0.99), Nanoseconds(static_cast<std::int64_t>(max_))};
}

}  // namespace ositrace
