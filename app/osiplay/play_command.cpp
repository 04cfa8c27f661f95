// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <ositrace/calendar_time.hpp>
#include <ositrace/clock.hpp>
#include <ositrace/edit/cut.hpp>
#include <ositrace/error.hpp>
#include <ositrace/player.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

#include "app/osiplay/commands.hpp"
#include "app/osiplay/play_report.hpp"
#include "app/osiplay/play_request.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/loss.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/static_text.hpp"
#include "lib/system/interrupt.hpp"
#include "lib/system/stoppable_wait.hpp"
#include "lib/system/terminal.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace::app {
namespace {

/// What is played: a seekable trace, or a stream.
struct PlayedTrace {
    std::shared_ptr<const Trace> trace;
    std::unique_ptr<FrameSource> stream;  ///< if `trace` is null; limited to --time and --topic
    TimeSpan time;                        ///< --time, resolved
};

/// A stream whose frames up to the first one with a time have been read.
class StartedStream final : public FrameSource {
public:
    StartedStream(std::unique_ptr<FrameSource> from, const std::stop_token& stop) : from_(std::move(from))
    {
        while (!start_) {
            Frame frame;
            if (!from_->read(frame, stop)) break;
            if (!frame.time) frame.time = time_in_range_of(frame, from_->info().channels.at(frame.channel));
            start_ = frame.time;
            waiting_.push_back(std::move(frame));
        }
    }
    [[nodiscard]] std::optional<Nanoseconds> start() const noexcept { return start_; }

    const TraceInfo& info() const noexcept override { return from_->info(); }
    bool read(Frame& frame, std::stop_token stop) override
    {
        if (next_ == waiting_.size()) return from_->read(frame, std::move(stop));
        frame = std::move(waiting_[next_++]);
        return true;
    }
    std::uint64_t bytes_consumed() const noexcept override { return from_->bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return from_->bytes_total(); }

private:
    std::unique_ptr<FrameSource> from_;
    std::vector<Frame> waiting_;
    std::size_t next_ = 0;
    std::optional<Nanoseconds> start_;
};

PlayedTrace open_stream_to_play(const PlayRequest& request, const OpenOptions& open, CarriedReport& carried,
                                const SinkContext& context)
{
    PlayedTrace played;
    played.stream = request.is_live() ? open_network_source(request.words.front(), request.input, context)
                                      : open_stream(request.trace(), open);
    const auto range = request.time.range();
    TimeExtent extent;
    if (range && range->needs_start()) {
        auto started = std::make_unique<StartedStream>(std::move(played.stream), open.stop);
        extent.start = started->start();
        played.stream = std::move(started);
    }
    if (range) played.time = range->resolve(extent, zero_time_of(played.stream->info()));
    if (!range && !request.topic) return played;
    CutOptions cut_options;
    cut_options.time = range;
    cut_options.extent = extent;
    cut_options.end_with_time = request.is_unbounded();
    cut_options.topic = request.topic;
    cut_options.carry_static = request.carry_static;
    cut_options.stop = open.stop;
    cut_options.on_damage_after = warn_of_damage_after(context.messages);
    cut_options.on_carry = [&](const CarriedPart& part) { carried.add(part); };
    played.stream = cut(std::move(played.stream), std::move(cut_options));
    return played;
}

/// That of --map; else models get the one of a trace with a map channel. A trace can be played without that one.
std::shared_ptr<const TraceMap> map_to_play(const Trace& trace, const PlayRequest& request, std::size_t max_bytes,
                                            Messages& messages)
{
    if (!request.map.empty()) return map_of(trace, {.file = request.map, .max_bytes = max_bytes});
    if (!request.carry_static) return nullptr;
    try {
        auto map = map_of(trace, {.max_bytes = max_bytes});
        const bool is_in_channel = std::ranges::any_of(trace.info().channels, is_map_channel);
        return request.has_models() && is_in_channel ? std::move(map) : nullptr;
    } catch (const Error& error) {
        messages.warning(error.what());
        return nullptr;
    }
}

PlayedTrace open_trace_to_play(const PlayRequest& request, const OpenOptions& open, const SinkContext& context)
{
    PlayedTrace played;
    played.trace = open_trace(request.trace(), open);
    const bool nothing_left = request.skip_bad_frames && context.losses.damage.skipped_frames != 0;
    if (played.trace->info().channels.empty() && !nothing_left) {
        static_cast<void>(open_stream(request.trace(), open));  // throws the damage that hides them
        throw Error(Cause::mismatch, {.file = shown_file(request.trace(), "standard input")}, "has no channels");
    }
    if (auto map = map_to_play(*played.trace, request, open.max_message_bytes, context.messages)) {
        for (const auto& note : map->notes) context.messages.warning(note.what());
        played.trace = with_map(played.trace, std::move(map));
    }
    if (request.topic) played.trace = select_topics(played.trace, *request.topic);
    const auto range = request.time.range();
    if (!range && request.iterations == 1) return played;
    auto extent = time_extent(*played.trace);  // throws where the file breaks
    if (range && range->needs_step()) extent.step = median_step(*played.trace);
    if (range) played.time = range->resolve(extent, zero_time_of(played.trace->info()));
    return played;
}

/// Throws Error; `cancelled` if the stop comes before a stream has begun. `carried` and `context` must outlive the
/// result.
PlayedTrace open_played(const PlayRequest& request, CarriedReport& carried, const SinkContext& context)
{
    auto options = request.input.open_options(context.messages);
    options.follow = request.follow;
    options.stop = context.stop;
    options.skip_bad_frames = request.skip_bad_frames;
    options.live = request.is_stream();
    options.on_skip = [&](const SkippedBytes& skipped) { context.damage.add(skipped); };
    if (request.is_stream() && !request.map.empty())
        throw Error(Cause::usage, "--map needs a file that is not followed and no pipe");
    if (request.is_stream()) return open_stream_to_play(request, options, carried, context);
    try {
        return open_trace_to_play(request, options, context);
    } catch (const Error& e) {
        const bool is_of_map = !request.map.empty() && e.where().file == request.map;
        if (!is_damage(e) || is_of_map) throw;
        if (const auto range = request.time.range();
            request.iterations != 1 || !request.map.empty() || (range && range->needs_all()))
            throw Error(e.cause(), e.where(),
                        e.reason() +
                            "; --loop, --map, --time from the end and half-step require a complete file: use "
                            "'osiconvert recover'");
    }
    return open_stream_to_play(request, options, carried, context);  // up to the damage
}

enum class Key : std::uint8_t { space, left, right, up, down, q };

constexpr std::array<std::pair<std::string_view, Key>, 10> sequences{{
    {" ", Key::space},
    {"q", Key::q},
    {"\x1b[A", Key::up},
    {"\x1bOA", Key::up},
    {"\x1b[B", Key::down},
    {"\x1bOB", Key::down},
    {"\x1b[C", Key::right},
    {"\x1bOC", Key::right},
    {"\x1b[D", Key::left},
    {"\x1bOD", Key::left},
}};

constexpr auto jump = std::chrono::seconds(1);

/// The keys in what a terminal sent; other keys are left out.
std::vector<Key> keys_in(std::string_view typed)
{
    std::vector<Key> keys;
    while (!typed.empty()) {
        const auto found =
            std::ranges::find_if(sequences, [&](const auto& row) { return typed.starts_with(row.first); });
        if (found != sequences.end()) keys.push_back(found->second);
        typed.remove_prefix(found != sequences.end() ? found->first.size() : 1);
    }
    return keys;
}

/// Reads keys from standard input on a thread of its own, if that is the terminal of this process: space pauses and
/// resumes; left and right go a second back and ahead, or a step while paused; up and down double and halve the rate;
/// q ends the replay, which is a success.
class KeyControl {
public:
    /// `line` shows that the replay is paused; may be null. All must outlive this.
    KeyControl(Player& player, double rate, bool paused, bool seekable, StatusLine* line);
    ~KeyControl();

    /// From the thread of the player, after every step.
    void update(const PlayStatus& status);
    /// q was pressed. Any thread.
    [[nodiscard]] bool quit() const noexcept { return quit_; }

private:
    void watch(const std::stop_token& stop);
    void press(Key key);
    void seek_by(Nanoseconds distance);
    void show_pause();

    Player& player_;
    double rate_;
    bool paused_;
    bool seekable_;
    StatusLine* line_;
    std::atomic<bool> quit_ = false;
    std::mutex mutex_;
    std::optional<Nanoseconds> position_;
    std::jthread thread_;  // last: it uses the above
};

KeyControl::KeyControl(Player& player, double rate, bool paused, bool seekable, StatusLine* line)
    : player_(player), rate_(rate), paused_(paused), seekable_(seekable), line_(line)
{
    show_pause();
    if (read_single_keys()) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

KeyControl::~KeyControl()
{
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
    restore_terminal();
}

void KeyControl::update(const PlayStatus& status)
{
    const std::lock_guard lock(mutex_);
    position_ = status.position.time;
}

void KeyControl::watch(const std::stop_token& stop)
try {
    const std::filesystem::path name("keyboard");
    const auto keyboard = open_standard_input(name);
    StoppableWait wait;
    std::array<char, 256> typed{};
    while (const auto count = wait.read(keyboard, std::as_writable_bytes(std::span(typed)), stop, name))
        for (const auto key : keys_in({typed.data(), count})) press(key);
} catch (const Error&) {  // the terminal is gone
}

void KeyControl::press(Key key)
{
    switch (key) {
    case Key::space:
        paused_ = !paused_;
        paused_ ? player_.pause() : player_.resume();
        show_pause();
        return;
    case Key::right: return paused_ ? player_.step_forward() : seek_by(jump);
    case Key::left:
        if (!seekable_) return;
        return paused_ ? player_.step_back() : seek_by(-jump);
    case Key::up:
    case Key::down:
        rate_ = std::clamp(key == Key::up ? rate_ * 2 : rate_ / 2, Timeline::min_rate, Timeline::max_rate);
        return player_.set_rate(rate_);
    case Key::q:
        quit_ = true;
        interrupt_this_process();  // ends every wait
        return;
    }
}

void KeyControl::seek_by(Nanoseconds distance)
{
    const std::lock_guard lock(mutex_);
    if (seekable_ && position_) player_.seek(*position_ + distance);
}

void KeyControl::show_pause()
{
    if (line_ != nullptr) line_->set_paused(paused_);
}

/// When a replay fails, names the incomplete outputs that it leaves.
class UnfinishedOutputs {
public:
    UnfinishedOutputs(const std::vector<std::filesystem::path>& outputs, Messages& messages) : messages_(messages)
    {
        for (const auto& output : outputs) {
            auto part = std::filesystem::path(output.string() + ".part");
            const auto before = state_of(part);
            parts_.emplace_back(std::move(part), before);
        }
    }
    UnfinishedOutputs(const UnfinishedOutputs&) = delete;
    UnfinishedOutputs& operator=(const UnfinishedOutputs&) = delete;
    ~UnfinishedOutputs()
    {
        if (std::uncaught_exceptions() == exceptions_) return;
        for (const auto& [part, before] : parts_)
            if (const auto now = state_of(part); now && now != before)
                messages_.warning(part.string() + " remains with what was recorded; 'osiconvert recover' reads it");
    }

private:
    using State = std::optional<std::filesystem::file_time_type>;
    static State state_of(const std::filesystem::path& part)
    {
        std::error_code failed;
        const auto time = std::filesystem::last_write_time(part, failed);
        return failed ? State() : State(time);
    }

    Messages& messages_;
    int exceptions_ = std::uncaught_exceptions();
    std::vector<std::pair<std::filesystem::path, State>> parts_;  ///< as they were before
};

class PlayCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "",
            .summary = "replays a trace into sensor models, FMUs, sockets and recordings",
            .usage = {"TRACE --sink SINK [--sink SINK]... [--rate X|max] [--time A:B] [--loop N]"},
            .notes = {"FMUs, models and files receive every frame exactly once; playback waits for them. Network",
                      "sinks receive each frame at its timestamp. A recording contains what the models return, or",
                      "without a model what is played, and so does a network sink with ?from=model. TRACE may be",
                      "- for standard input, or the address of a live stream: zmq+sub://HOST:PORT, zmq+pull://,",
                      "tcp://, udp://, foxglove://.",
                      "Keys, on a terminal and with a rate: space pauses and resumes; left and right go 1 s back and",
                      "ahead, or a step while paused; up and down double and halve the rate; q ends."},
            .examples = {"drive.osi --sink null --rate 1 --report",
                         "drive.osi --sink fmu:DummySensor.fmu --sink record:out.mcap",
                         "drive.mcap --sink record:part.mcap --time 2:5 --topic SensorView",
                         "drive.osi --sink zmq+pub://*:5555 --loop 0", "drive.osi --sink foxglove:// --loop 0",
                         "drive.osi --sink web:// --loop 0"}};
    }
    void declare(Options& options) override { request_.declare(options); }
    ExitCode run(Messages& messages) override;

private:
    [[nodiscard]] PlayOptions play_options(const PlayedTrace& played) const;
    /// `quit`: the replay was ended by a key.
    [[nodiscard]] PlayReport play(Messages& messages, Losses& losses, const std::stop_token& stop, bool& quit) const;
    [[nodiscard]] ExitCode end(const PlayReport& report, const Losses& losses, bool quit, Messages& messages) const;

    PlayRequest request_;
};

PlayOptions PlayCommand::play_options(const PlayedTrace& played) const
{
    PlayOptions options;
    options.rate = request_.rate();
    options.drop_late = request_.drop_late;
    if (request_.limits.late) options.late_after = *request_.limits.late;
    options.rounds = request_.iterations;
    options.step_size = request_.step_size;
    options.start_time = request_.start_time;
    options.carry_static = request_.carry_static;
    options.skip_bad_frames = request_.skip_bad_frames;
    if (played.trace) options.from = played.time.from;
    options.to = played.time.to;
    return options;
}

PlayReport PlayCommand::play(Messages& messages, Losses& losses, const std::stop_token& stop, bool& quit) const
{
    if (request_.is_stream()) request_.refuse_existing_outputs();
    WriteOptions write;
    write.overwrite = request_.overwrite;
    write.inputs = request_.inputs();
    DamageReport damage(losses.damage, messages);
    const bool timed = request_.rate() || request_.is_unbounded();
    const SinkContext context{messages, losses, damage, write, timed, request_.has_models(), stop};
    const SinkSet sinks(request_.sinks, request_.trace(), context);
    std::optional<StatusLine> status;
    if (messages.shows_status()) status.emplace(messages);
    CarriedReport carried(request_.trace(), messages);
    PlayedTrace played;
    try {
        played = open_played(request_, carried, context);
    } catch (const Error& e) {
        if (e.cause() != Cause::cancelled || !request_.is_unbounded()) throw;
        messages.warning(shown_file(request_.trace(), "standard input") + ": received nothing");
        return {.stopped = true};
    }
    std::optional<PlayLog> log;  // after opening: a failure keeps an existing log
    if (request_.log) log.emplace(*request_.log, request_.overwrite);

    auto options = play_options(played);
    const bool at_a_rate = options.rate.has_value();
    if (request_.time.is_given())
        options.on_nothing = [&] {
            throw Error(Cause::mismatch, {.file = shown_file(request_.trace(), "standard input")},
                        "no frame in the range of --time");
        };
    options.on_long_wait = [&](const Frame& frame, Nanoseconds wait) {
        messages.warning(shown_file(request_.trace(), "standard input") + ": " + long_wait_text(frame, wait));
    };
    options.on_carry = [&](const CarriedPart& part) { carried.add(part); };
    options.on_skip = [&](const SkippedBytes& skipped) { damage.add_played(skipped); };
    if (log) options.on_due = [&](const PlayStatus& step) { log->step_is_due(step, at_a_rate); };
    KeyControl* steered = nullptr;
    options.on_status = [&](const PlayStatus& step) {
        losses.iterations = step.position.round + 1;
        if (steered) steered->update(step);
        if (log) log->step_is_done(step);
        if (status) status->update(step);
    };
    const auto clock = monotonic_clock();
    Player player = played.trace ? Player(played.trace, sinks.sinks(), *clock, std::move(options))
                                 : Player(*played.stream, sinks.sinks(), *clock, std::move(options));
    std::optional<KeyControl> keys;
    if (request_.pause) player.step_forward();
    if (at_a_rate && request_.words.front() != "-")
        keys.emplace(player, *request_.rate(), request_.pause, played.trace != nullptr, status ? &*status : nullptr);
    steered = keys ? &*keys : nullptr;
    const auto report = player.run(stop);
    quit = keys && keys->quit();
    keys.reset();
    if (log) log->close();
    losses.skipped = damage.skipped(losses.iterations);
    carried.finish();
    if (sinks.records_nothing_of_models() && !(report.stopped && report.frames == 0)) {
        messages.error("the models returned no message; the empty recording is not written");
        losses.not_recorded = true;
    }
    return report;
}

ExitCode PlayCommand::end(const PlayReport& report, const Losses& losses, bool quit, Messages& messages) const
{
    if (request_.json)
        print(json_of(report, losses));
    else if (request_.report)
        print(text_of(report, losses, request_.rate().has_value()));
    if (report.stopped && !quit && !request_.is_endless()) {
        flush_output();
        throw Error(Cause::cancelled, "stopped");  // recordings are finished and kept
    }
    const auto exceeded = exceeded_limit(report, losses, request_.limits);
    if (!exceeded.empty()) messages.error(exceeded);
    auto damage = losses.damage.text({});
    if (!damage.empty() && losses.iterations > 1)
        damage += ", in each of " + std::to_string(losses.iterations) + " iterations";
    if (!damage.empty()) messages.error(shown_file(request_.trace(), "standard input") + ": " + damage);
    const bool complete = damage.empty() && !losses.not_recorded && !losses.cut_off;
    return exceeded.empty() && complete ? ExitCode::success : ExitCode::findings;
}

ExitCode PlayCommand::run(Messages& messages)
{
    request_.check();
    const Interrupt interrupt([] {
        remove_temporary_files();
        restore_terminal();
    });
    Losses losses;
    std::optional<OutputAside> aside;  // of what models write to standard output
    if ((request_.json || request_.report) && request_.has_models_in_process()) aside.emplace();
    const UnfinishedOutputs unfinished(request_.outputs(), messages);
    bool quit = false;
    const auto report = play(messages, losses, interrupt.token(), quit);
    aside.reset();
    return end(report, losses, quit, messages);
}

}  // namespace

std::unique_ptr<Command> play_command() { return std::make_unique<PlayCommand>(); }

}  // namespace ositrace::app
