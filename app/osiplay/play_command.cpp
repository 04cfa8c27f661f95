// SPDX-License-Identifier: MPL-2.0
#include <optional>

#include <fcntl.h>
#include <unistd.h>

#include <ositrace/clock.hpp>
#include <ositrace/error.hpp>

#include "app/osiplay/commands.hpp"
#include "app/osiplay/play_log.hpp"
#include "app/osiplay/play_report.hpp"
#include "app/osiplay/played_trace.hpp"
#include "app/osiplay/sink_set.hpp"
#include "app/osiplay/status_line.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"

namespace ositrace::app {
namespace {

/// While models run in this process: what they write to descriptor 1 goes to standard error, and not between the
/// results.
class ResultsAside {
public:
    ResultsAside() : kept_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
    {
        if (kept_ >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    ResultsAside(const ResultsAside&) = delete;
    ResultsAside& operator=(const ResultsAside&) = delete;
    ~ResultsAside()
    {
        if (kept_ < 0) return;
        dup2(kept_, STDOUT_FILENO);
        close(kept_);
    }

private:
    int kept_;
};

class PlayCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "",
                .summary = "replays a trace into sensor models, FMUs, sockets and recordings",
                .usage = {"TRACE --sink SINK [--sink SINK]... [--rate X|max] [--time A:B] [--loop N]"},
                .notes = {"Models and files get every frame exactly once, and time waits for them; live sinks get the "
                          "frames when they are due.",
                          "A recording keeps what the models return, or what is played where there is none.",
                          "TRACE may be - for standard input, or the address of a live stream: zmq+sub://HOST:PORT, "
                          "zmq+pull://, tcp://, udp://."},
                .examples = {"drive.osi --sink null --rate 1 --report",
                             "drive.osi --sink fmu:DummySensor.fmu --sink record:out.mcap",
                             "drive.mcap --sink record:part.mcap --time 2:5 --topic SensorView",
                             "drive.osi --sink zmq+pub://*:5555 --loop 0"}};
    }
    void declare(Options& options) override { request_.declare(options); }
    ExitCode run(Messages& messages) override;

private:
    [[nodiscard]] PlayOptions play_options(const PlayedTrace& played) const;
    [[nodiscard]] PlayReport play(Messages& messages, Losses& losses, const std::stop_token& stop) const;
    [[nodiscard]] ExitCode end(const PlayReport& report, const Losses& losses, Messages& messages) const;

    PlayRequest request_;
};

PlayOptions PlayCommand::play_options(const PlayedTrace& played) const
{
    PlayOptions options;
    options.rate = request_.rate();
    options.drop_late = request_.drop_late;
    if (request_.limits.late) options.late_after = *request_.limits.late;
    options.rounds = request_.rounds;
    options.step_size = request_.step_size;
    options.start_time = request_.start_time;
    options.carry_static = request_.carry_static;
    options.skip_bad_frames = request_.skip_bad_frames;
    if (played.trace) options.from = played.time.from;
    options.to = played.time.to;
    return options;
}

PlayReport PlayCommand::play(Messages& messages, Losses& losses, const std::stop_token& stop) const
{
    WriteOptions write;
    write.overwrite = request_.overwrite;
    write.inputs = request_.inputs();
    DamageReport damage(losses.damage, messages);
    const SinkSurroundings around{messages, losses, damage, write, request_.has_models(), stop};
    const SinkSet sinks(request_.sinks, request_.trace(), around);
    std::optional<StatusLine> status;
    if (messages.shows_status()) status.emplace(messages);
    CarriedReport carried(request_.trace(), messages);
    PlayedTrace played;
    try {
        played = open_played(request_, carried, around);
    } catch (const Error& e) {
        if (e.cause() != Cause::cancelled || !request_.is_unbounded()) throw;
        messages.warning(shown_file(request_.trace(), "standard input") + ": nothing was received");
        return {.stopped = true};
    }
    std::optional<PlayLog> log;  // behind what is played: without it a log that is there stays
    if (request_.log) log.emplace(*request_.log, request_.overwrite);

    auto options = play_options(played);
    const bool at_a_rate = options.rate.has_value();
    if (request_.time.is_given())
        options.on_nothing = [&] {
            throw Error(Cause::mismatch, {.file = request_.trace()}, "no frame lies in --time");
        };
    options.on_long_wait = [&](const Frame& frame, Nanoseconds wait) {
        messages.warning(request_.trace().string() + ": " + long_wait_text(frame, wait));
    };
    options.on_carry = [&](const CarriedPart& part) { carried.add(part); };
    options.on_skip = [&](const SkippedBytes& skipped) { damage.add(skipped); };
    if (log) options.on_due = [&](const PlayStatus& step) { log->step_is_due(step, at_a_rate); };
    options.on_status = [&](const PlayStatus& step) {
        if (log) log->step_was_taken(step);
        if (status) status->update(step);
    };
    const auto clock = monotonic_clock();
    Player player = played.trace ? Player(played.trace, sinks.sinks(), *clock, std::move(options))
                                 : Player(*played.stream, sinks.sinks(), *clock, std::move(options));
    const auto report = player.run(stop);
    if (log) log->close();
    carried.finish();
    if (sinks.records_nothing_of_models() && !(report.stopped && report.frames == 0)) {
        messages.error("the models returned no message; a recording that would be empty is not written");
        losses.not_recorded = true;
    }
    return report;
}

ExitCode PlayCommand::end(const PlayReport& report, const Losses& losses, Messages& messages) const
{
    if (request_.json)
        print(json_of(report, losses));
    else if (request_.report)
        print(text_of(report, losses, request_.rate().has_value()));
    if (report.stopped && !request_.is_endless()) {
        flush_output();
        throw Error(Cause::cancelled, "stopped");  // recordings are finished and kept
    }
    const auto passed = passed_limit(report, losses, request_.limits);
    if (!passed.empty()) messages.error(passed);
    const auto damage = losses.damage.text({});
    if (!damage.empty()) messages.error(shown_file(request_.trace(), "standard input") + ": left out: " + damage);
    return passed.empty() && damage.empty() && !losses.not_recorded ? ExitCode::done : ExitCode::answer_is_no;
}

ExitCode PlayCommand::run(Messages& messages)
{
    request_.check();
    const Interrupt interrupt(remove_temporary_files);
    Losses losses;
    std::optional<ResultsAside> aside;
    if ((request_.json || request_.report) && request_.has_models_in_process()) aside.emplace();
    const auto report = play(messages, losses, interrupt.token());
    aside.reset();
    return end(report, losses, messages);
}

}  // namespace

std::unique_ptr<Command> play_command() { return std::make_unique<PlayCommand>(); }

}  // namespace ositrace::app
