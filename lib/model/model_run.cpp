// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_run.hpp>

#include <algorithm>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include <ositrace/clock.hpp>
#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>
#include <ositrace/model_sink.hpp>
#include <ositrace/player.hpp>
#include <ositrace/record_sink.hpp>

namespace ositrace {

namespace {

/// A seek this far beyond what is known does not wait for it.
constexpr Nanoseconds soon = std::chrono::seconds(2);

}  // namespace

/// Takes what the model returns into a LiveTrace.
class ModelRun::OutputSink final : public FrameSink {
public:
    OutputSink(ModelRun& run, std::stop_token stop) : run_(run), stop_(std::move(stop)) {}

    void begin(const TraceInfo& info, const PlayStart&) override { follow(info); }
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override
    {
        follow(info);
        for (auto frame : frames) {
            frame.time = now;  // of its input, also if the message states another time
            if (!run_.options_.record) wait_for_room(frame, now);
            if (stop_.stop_requested()) return;
            trace_->append(frame);
            run_.progress_.frame_added();
        }
    }

private:
    void follow(const TraceInfo& info)
    {
        if (trace_ && trace_->info().channels.size() == info.channels.size()) return;
        auto named = info;
        named.file = run_.options_.name;
        trace_ = trace_ ? trace_->with_channels(std::move(named))
                        : std::make_shared<LiveTrace>(std::move(named), run_.options_.limits);
        run_.progress_.set_trace(trace_);
    }
    /// Until the frame fits, or the oldest one is not needed for what is looked at.
    void wait_for_room(const Frame& frame, Nanoseconds now)
    {
        const auto counts = trace_->counts();
        const auto& limits = run_.options_.limits;
        const auto bytes = counts.bytes + frame.bytes.size() + LiveLimits::bytes_per_frame;
        if (counts.kept == 0 || (bytes <= limits.bytes && counts.kept < limits.frames)) return;
        const auto second = trace_->first_frame(frame.channel) + 1;
        const bool has_second = second < trace_->frame_count(frame.channel);
        const auto needed_until = has_second ? trace_->frame(frame.channel, second).time.value_or(now) : now;
        std::unique_lock lock(run_.mutex_);
        run_.asked_.wait(lock, stop_, [&] { return run_.shown_ && *run_.shown_ >= needed_until; });
    }

    ModelRun& run_;
    std::stop_token stop_;
    std::shared_ptr<LiveTrace> trace_;
};

ModelRun::ModelRun(ModelRunOptions options)
    : options_(std::move(options)), shown_(options_.from), thread_([this](const std::stop_token& stop) { run(stop); })
{
}

ModelRun::~ModelRun()
{
    thread_.request_stop();
    thread_.join();
}

void ModelRun::show_time(Nanoseconds time, bool sought)
{
    std::stop_source stop(std::nostopstate);
    {
        const std::lock_guard lock(mutex_);
        shown_ = time;
        if (!options_.record && (restart_ || is_out_of_reach(time, sought))) {
            restart_ = time;
            stop = stop_run_;
        }
    }
    stop.request_stop();
    asked_.notify_all();
}

bool ModelRun::is_out_of_reach(Nanoseconds time, bool sought) const
{
    if (time < begun_at_) return true;
    const auto trace = progress_.view().trace;
    if (trace && !trace->info().channels.empty() && trace->frame_count() != 0 && trace->first_frame(0) != 0 &&
        trace->frame(0, trace->first_frame(0)).time > time && time < known_until_)
        return true;  // it was dropped
    if (!sought || time < known_until_) return false;
    return ended_ || (known_until_ < Nanoseconds::max() - soon && time > known_until_ + soon);
}

void ModelRun::run(const std::stop_token& stop)
{
    auto from = options_.from;
    while (!stop.stop_requested()) {
        run_once(from, stop);
        std::unique_lock lock(mutex_);
        if (!asked_.wait(lock, stop, [&] { return restart_.has_value(); })) return;
        from = std::exchange(restart_, std::nullopt);
    }
}

/// The time of the last frame at or before `time`, of the channel for which it is the earliest; empty: the first frame.
std::optional<Nanoseconds> ModelRun::first_input(std::optional<Nanoseconds> time) const
{
    if (!time) return std::nullopt;
    std::optional<Nanoseconds> first;
    for (std::uint32_t i = 0; i != options_.input->info().channels.size(); ++i) {
        const auto last = options_.input->frame_at(i, *time);
        const bool sends_once = options_.input->frame_count(i) == 1;  // the player carries it
        if (sends_once) continue;
        if (!last) return std::nullopt;
        const auto own = options_.input->frame_time(i, *last);
        if (own && (!first || *own < *first)) first = own;
    }
    return first;
}

void ModelRun::run_once(std::optional<Nanoseconds> from, const std::stop_token& stop)
try {
    std::stop_source run_stop;
    const std::stop_callback stops(stop, [&] { run_stop.request_stop(); });
    const auto begin = first_input(from);
    {
        const std::lock_guard lock(mutex_);
        if (restart_) return;
        begun_at_ = begin.value_or(Nanoseconds::min());
        known_until_ = begun_at_;
        ended_ = false;
        stop_run_ = run_stop;
    }
    status_ = {.state = LiveState::waiting, .text = "starting " + options_.name, .starts = status_.starts + 1};
    status_.known_until = Nanoseconds::min();
    progress_.set_status(status_);

    auto result = play(begin, run_stop.get_token());
    if (!run_stop.stop_requested()) end_run(LiveState::ended, std::move(result));
} catch (const std::exception& error) {
    {
        const std::lock_guard lock(mutex_);
        if (restart_ || stop.stop_requested()) return;
    }
    end_run(LiveState::failed, error.what());
}

/// Plays the input into a model of its own; returns what was done. The model is gone afterwards.
std::string ModelRun::play(std::optional<Nanoseconds> from, const std::stop_token& stop)
{
    const auto model = options_.make(stop);
    OutputSink outputs(*this, stop);
    std::optional<RecordSink> record;
    std::vector<ModelOutput> wanted{{.sink = &outputs, .held = true}};
    if (options_.record) wanted.push_back({.sink = &record.emplace(*options_.record, options_.write)});
    const auto stepping = step_models({{.model = model.get(), .name = options_.name}}, wanted);
    FrameSink* const sinks[] = {stepping.get()};
    const auto clock = monotonic_clock();
    PlayOptions options;
    options.from = from;
    options.on_due = [&](const PlayStatus& step) { set_known_until(step.position.time); };
    Player player(options_.input, sinks, *clock, std::move(options));
    static_cast<void>(player.run(stop));
    auto done = count_text(stepping->steps(), "step") + ' ' + is_or_are(stepping->steps()) + " done";
    if (record)
        done += ", " + count_text(record->frames(), "message") + ' ' + is_or_are(record->frames()) + " recorded in " +
                options_.record->string();
    return done;
}

/// All steps before this time are done.
void ModelRun::set_known_until(Nanoseconds time)
{
    {
        const std::lock_guard lock(mutex_);
        known_until_ = time;
    }
    status_.state = LiveState::receiving;
    status_.text.clear();
    status_.known_until = time;
    progress_.set_status(status_);
}

void ModelRun::end_run(LiveState state, std::string text)
{
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        if (state == LiveState::ended) known_until_ = Nanoseconds::max();
    }
    if (state == LiveState::ended) status_.known_until.reset();
    status_.state = state;
    status_.text = std::move(text);
    progress_.set_status(status_);
}

}  // namespace ositrace
