// SPDX-License-Identifier: MPL-2.0
#include <ositrace/calendar_time.hpp>
#include <ositrace/clock.hpp>
#include <ositrace/error.hpp>

#include "app/osiplay/commands.hpp"
#include "app/osiplay/network.hpp"
#include "app/osiplay/play_report.hpp"
#include "app/osiplay/sink_set.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"

namespace ositrace::app {
namespace {

/// A trace where it can be sought in, else a stream.
struct Played {
    std::shared_ptr<const Trace> trace;
    std::unique_ptr<FrameSource> stream;
};

class PlayCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "",
                .summary = "replays a trace into sensor models, FMUs, sockets and recordings",
                .usage = {"TRACE --sink SINK [--sink SINK]... [--rate X|max] [--time A:B] [--loop N]"},
                .notes = {"Models and files get every frame exactly once, and time waits for them; live sinks get the frames when they are due.",
                          "A recording keeps what the models return, or what is played where there is none. TRACE may be - for standard input."},
                .examples = {"drive.osi --sink null --rate 1 --report", "drive.mcap --sink record:part.mcap --time 10:20"}};
    }
    void declare(Options& options) override { request_.declare(options); }
    ExitCode run(Messages& messages) override;

private:
    [[nodiscard]] Played open(const std::stop_token& stop, Messages& messages) const;
    [[nodiscard]] PlayOptions play_options(const Played& played) const;

    PlayRequest request_;
};

Played PlayCommand::open(const std::stop_token& stop, Messages& messages) const
{
    if (request_.is_live()) return {nullptr, open_network_source(request_.words.front(), request_.input, stop, messages)};
    auto options = request_.input.open_options();
    options.follow = request_.follow;
    options.stop = stop;
    std::error_code none;
    const auto file = request_.trace();
    const bool seekable = file != "-" && !request_.follow && std::filesystem::is_regular_file(file, none);
    if (seekable) return {open_trace(file, options), nullptr};
    return {nullptr, open_stream(file, options)};
}

PlayOptions PlayCommand::play_options(const Played& played) const
{
    PlayOptions options;
    options.rate = request_.rate();
    options.drop_late = request_.drop_late;
    options.rounds = request_.rounds;
    options.step_size = request_.step_size;
    if (request_.time) {
        const auto& info = played.trace ? played.trace->info() : played.stream->info();
        const auto span = request_.time->resolve(played.trace ? time_extent(*played.trace) : TimeExtent{}, zero_time_of(info));
        options.from = span.from;
        options.to = span.to;
    }
    return options;
}

ExitCode PlayCommand::run(Messages& messages)
{
    request_.check();
    Interrupt interrupt;
    WriteOptions write;
    write.overwrite = request_.overwrite;
    write.inputs = {request_.trace()};
    const SinkSurroundings around{messages, write, interrupt.token()};
    const SinkSet sinks(request_.sinks, around);
    const auto played = open(interrupt.token(), messages);
    const auto clock = monotonic_clock();
    auto options = play_options(played);
    const bool at_a_rate = options.rate.has_value();
    Player player = played.trace ? Player(played.trace, sinks.sinks(), *clock, std::move(options))
                                 : Player(*played.stream, sinks.sinks(), *clock, std::move(options));
    const auto report = player.run(interrupt.token());
    if (request_.json) print(json_of(report));
    else if (request_.report) print(text_of(report, at_a_rate));
    const auto passed = passed_limit(report, request_.limits);
    if (!passed.empty()) messages.error(passed);
    return passed.empty() ? ExitCode::done : ExitCode::answer_is_no;
}

}  // namespace

std::unique_ptr<Command> play_command() { return std::make_unique<PlayCommand>(); }

}  // namespace ositrace::app
