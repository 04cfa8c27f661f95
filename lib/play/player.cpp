// SPDX-License-Identifier: MPL-2.0
#include <ositrace/player.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include <ositrace/error.hpp>
#include <ositrace/trace_selection.hpp>

#include "lib/play/frame_queue.hpp"
#include "lib/play/lateness.hpp"

namespace ositrace {

void FrameSink::begin(const TraceInfo&, const PlayStart&) {}
void FrameSink::finish() {}
void FrameSink::give_up() {}

namespace {

/// What a thread asked of the player since it looked last. Of several seeks the last counts.
struct Requests {
    std::optional<bool> paused;
    std::optional<double> rate;
    std::optional<Nanoseconds> seek;
    int steps_forward = 0;
    int steps_back = 0;
};

Nanoseconds processor_time()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) { return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec); };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

/// The time between two frames of the channel that has most.
Nanoseconds mean_step(const Trace& trace, const TimeExtent& extent)
{
    std::uint64_t frames = 0;
    for (std::uint32_t channel = 0; channel < trace.info().channels.size(); ++channel)
        frames = std::max(frames, trace.frame_count(channel));
    const auto length = *extent.end - *extent.start;
    return frames < 2 ? Nanoseconds(1) : std::max(Nanoseconds(1), length / static_cast<std::int64_t>(frames - 1));
}

/// A round lasts one step longer than its last frame, so that the first of the next round comes when the next frame would.
PlayedSection section_of(const Trace& trace, const PlayOptions& options)
{
    const auto extent = time_extent(trace);
    PlayedSection section;
    section.rounds = options.rounds;
    section.from_first_frame = !options.from;
    section.times.from = options.from ? *options.from : extent.start.value_or(Nanoseconds(0));
    section.times.to = section.times.from + Nanoseconds(1);
    if (options.to) section.times.to = *options.to;
    else if (extent.end) section.times.to = std::max(section.times.to, *extent.end + mean_step(trace, extent));
    return section;
}

/// The start of a live source is the time of its first frame.
PlayedSection section_of(const PlayOptions& options)
{
    PlayedSection section;
    section.from_first_frame = !options.from;
    section.times = {options.from.value_or(Nanoseconds::min()), options.to.value_or(Nanoseconds::max())};
    return section;
}

void check(const PlayOptions& options)
{
    if (options.step_size && *options.step_size <= Nanoseconds(0)) throw Error(Cause::usage, "a step must be longer than 0");
    if (options.from && options.to && *options.from >= *options.to) throw Error(Cause::usage, "the end of the section must be behind its start");
}

void give_up(FrameSink& sink) noexcept
{
    try {
        sink.give_up();
    } catch (...) {  // what ended the replay is said, not what came of it
    }
}

}  // namespace

class Player::Implementation {
public:
    Implementation(std::shared_ptr<const Trace> trace, std::unique_ptr<TraceReader> cursor, FrameSource& source, PlayedSection section,
                   std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options)
        : trace_(std::move(trace)),
          cursor_(std::move(cursor)),
          source_(source),
          section_(section),
          sinks_(sinks.begin(), sinks.end()),
          clock_(clock),
          options_(std::move(options)),
          timeline_(section.times, section.rounds),
          reader_(source_, cursor_.get(), section_)
    {
        const auto start = seekable() ? std::optional(section_.times.from) : options_.from;
        if (options_.step_size) hold_.emplace(reader_, start, *options_.step_size);
        if (options_.rate) timeline_.set_rate({}, *options_.rate);
    }

    PlayReport run(const std::stop_token& stop);

    template <class Change>
    void request(Change&& change)
    {
        {
            const std::lock_guard lock(mutex_);
            change(requests_);
        }
        asked_ = true;
        clock_.wake();
    }
    [[nodiscard]] bool seekable() const noexcept { return cursor_ != nullptr; }

private:
    [[nodiscard]] bool at_a_rate() const noexcept { return options_.rate.has_value(); }
    void play_and_measure(const std::stop_token& stop);
    void play(const std::stop_token& stop);
    bool wait_for(const DueFrame& due, const std::stop_token& stop);
    void obey();
    void seek(Nanoseconds time);
    void step_back();
    [[nodiscard]] std::optional<Nanoseconds> time_before(Nanoseconds time) const;
    bool is_to_be_dropped(const DueFrame& due);
    void deliver(const DueFrame& due);
    void count(const DueFrame& due);

    std::shared_ptr<const Trace> trace_;
    std::unique_ptr<TraceReader> cursor_;
    FrameSource& source_;
    PlayedSection section_;
    std::vector<FrameSink*> sinks_;
    Clock& clock_;
    PlayOptions options_;
    Timeline timeline_;
    SectionReader reader_;
    std::optional<HoldReader> hold_;
    std::optional<FrameQueue> queue_;  // behind the readers, which its thread uses

    bool paused_ = false;
    int steps_ = 0;                    ///< frames to be delivered though it is paused
    bool anchored_ = false;            ///< the timeline began with the first frame
    std::optional<DueFrame> next_;
    std::optional<Moment> delivered_;
    PlayReport report_;
    LatenessCounter lateness_;
    PlayStatus status_;

    std::mutex mutex_;  // guards requests_
    Requests requests_;
    std::atomic<bool> asked_ = false;
};

PlayReport Player::Implementation::run(const std::stop_token& stop)
{
    try {
        for (auto* const sink : sinks_) sink->begin(source_.info(), {section_.times.from, Nanoseconds(1), {}});
        play_and_measure(stop);
        for (auto* const sink : sinks_) sink->finish();
    } catch (...) {
        queue_.reset();
        for (auto* const sink : sinks_) give_up(*sink);
        throw;
    }
    return report_;
}

void Player::Implementation::play_and_measure(const std::stop_token& stop)
{
    queue_.emplace(reader_, hold_ ? &*hold_ : nullptr, options_.prefetched_bytes);
    const auto processor_before = processor_time();
    const auto started = clock_.now();
    play(stop);
    report_.played = clock_.now() - started;
    const auto processor = processor_time() - processor_before;
    if (report_.played > Nanoseconds(0)) report_.cpu_percent = 100.0 * static_cast<double>(processor.count()) / static_cast<double>(report_.played.count());
    report_.stopped = stop.stop_requested();
    report_.lateness = lateness_.lateness();
    queue_.reset();
}

void Player::Implementation::play(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        if (asked_.exchange(false)) obey();
        if (!next_) next_ = queue_->take(stop);
        if (!next_) return;
        if (!wait_for(*next_, stop)) continue;
        const auto due = std::exchange(next_, std::nullopt);
        if (is_to_be_dropped(*due)) ++report_.lost;
        else deliver(*due);
    }
}

/// False: something else has to be done first.
bool Player::Implementation::wait_for(const DueFrame& due, const std::stop_token& stop)
{
    if (paused_ && steps_ == 0) return clock_.wait_until(std::nullopt, stop);
    if (steps_ > 0) {
        --steps_;
        timeline_.seek(clock_.now(), due.moment.time);
        return true;
    }
    if (!at_a_rate()) return true;
    if (!anchored_) {  // the first frame is due now; what opening cost does not make it late
        if (!seekable()) timeline_.set_section(clock_.now(), {due.moment.time, section_.times.to});
        timeline_.seek(clock_.now(), due.moment.time);
        timeline_.resume(clock_.now());
        anchored_ = true;
    }
    const auto deadline = timeline_.due(due.moment);
    return deadline && clock_.wait_until(deadline, stop);
}

void Player::Implementation::obey()
{
    Requests asked;
    {
        const std::lock_guard lock(mutex_);
        asked = std::exchange(requests_, {});
    }
    const auto now = clock_.now();
    if (asked.rate && at_a_rate()) timeline_.set_rate(now, *asked.rate);
    if (asked.seek) seek(*asked.seek);
    if (asked.steps_forward + asked.steps_back > 0) asked.paused = true;
    if (asked.paused && *asked.paused != paused_) {
        paused_ = *asked.paused;
        paused_ ? timeline_.pause(now) : timeline_.resume(now);
        if (!paused_) anchored_ = true;
    }
    for (; asked.steps_back > 0; --asked.steps_back) step_back();
    steps_ += asked.steps_forward;
}

void Player::Implementation::step_back()
{
    if (!delivered_) return;
    const auto before = options_.step_size ? std::optional(delivered_->time - *options_.step_size) : time_before(delivered_->time);
    if (!before || *before < section_.times.from) return;
    seek(*before);
    delivered_->time = *before;
    steps_ = 1;
}

/// The latest time of a frame before `time`.
std::optional<Nanoseconds> Player::Implementation::time_before(Nanoseconds time) const
{
    std::optional<Nanoseconds> latest;
    for (std::uint32_t channel = 0; channel < trace_->info().channels.size(); ++channel) {
        const auto place = trace_->frame_at(channel, time - Nanoseconds(1));
        if (!place) continue;
        const auto frame = trace_->frame(channel, *place);
        latest = std::max(latest, frame.time ? frame.time : frame.log_time);
    }
    return latest;
}

void Player::Implementation::seek(Nanoseconds time)
{
    const auto round = delivered_ ? delivered_->round : 0;
    const auto inside = std::clamp(time, section_.times.from, section_.times.to);
    next_.reset();
    queue_->seek({round, inside});
    timeline_.seek(clock_.now(), inside);
}

bool Player::Implementation::is_to_be_dropped(const DueFrame& due)
{
    if (!options_.drop_late || !at_a_rate() || paused_) return false;
    const auto* const behind = queue_->look_ahead();
    if (!behind || behind->frame.channel != due.frame.channel) return false;
    const auto deadline = timeline_.due(behind->moment);
    return deadline && *deadline <= clock_.now();
}

void Player::Implementation::deliver(const DueFrame& due)
{
    count(due);
    for (auto* const sink : sinks_) sink->take({&due.frame, 1}, due.moment.time, source_.info());
    delivered_ = due.moment;
    if (options_.on_status) options_.on_status(status_);
}

void Player::Implementation::count(const DueFrame& due)
{
    ++report_.frames;
    status_ = {due.moment, report_.frames, due.frame.bytes.size(), {}};
    const auto deadline = at_a_rate() ? timeline_.due(due.moment) : std::nullopt;
    if (!deadline) return;
    status_.late = clock_.now() - *deadline;
    lateness_.add(status_.late);
    if (status_.late > options_.late_after) ++report_.late;
}

Player::Player(std::shared_ptr<const Trace> trace, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options)
{
    check(options);
    auto cursor = trace->reader();
    auto& source = *cursor;
    const auto section = section_of(*trace, options);
    implementation_ = std::make_unique<Implementation>(std::move(trace), std::move(cursor), source, section, sinks, clock, std::move(options));
}

Player::Player(FrameSource& source, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options)
{
    check(options);
    if (options.rounds != 1) throw Error(Cause::usage, "a live source is played once");
    const auto section = section_of(options);
    implementation_ = std::make_unique<Implementation>(nullptr, nullptr, source, section, sinks, clock, std::move(options));
}

Player::~Player() = default;

PlayReport Player::run(const std::stop_token& stop) { return implementation_->run(stop); }

void Player::pause()
{
    implementation_->request([](Requests& requests) { requests.paused = true; });
}

void Player::resume()
{
    implementation_->request([](Requests& requests) { requests.paused = false; });
}

void Player::set_rate(double rate)
{
    if (!(rate >= Timeline::min_rate && rate <= Timeline::max_rate)) throw Error(Cause::usage, "a rate is a number from 0.1 to 100");
    implementation_->request([=](Requests& requests) { requests.rate = rate; });
}

void Player::seek(Nanoseconds time)
{
    if (!implementation_->seekable()) throw Error(Cause::usage, "a live source cannot be sought in");
    implementation_->request([=](Requests& requests) { requests.seek = time; });
}

void Player::step_forward()
{
    implementation_->request([](Requests& requests) { ++requests.steps_forward; });
}

void Player::step_back()
{
    if (!implementation_->seekable()) throw Error(Cause::usage, "a live source cannot be sought in");
    implementation_->request([](Requests& requests) { ++requests.steps_back; });
}

}  // namespace ositrace
