// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/bench_command.hpp"

#include <fstream>

#include <ositrace/error.hpp>

#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

constexpr int default_repetitions = 21;
constexpr int quick_repetitions = 5;
constexpr std::size_t quick_bytes = std::size_t{1} << 20;

void write_file(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw Error(Cause::io, {.file = file}, "cannot be written");
}

}  // namespace

void TraceBenchCommand::declare(app::Options& options)
{
    options.words("TRACE", words_, 1, 1);
    options.flag("--quick", quick_, "does it run at all? 5 repetitions, about 1 MB of frames; no figures to be quoted");
    options.option("--repetitions", "N", "how often every variant is timed; default 21",
                   [this](const std::string& text) { repetitions_ = static_cast<int>(app::parse_count(text, 1, 100'000)); });
    app::declare_json(options, json_, "the result as JSON, with all samples");
    options.option("--html", "REPORT", "the result as a self-contained web page, too, with box plots",
                   [this](const std::string& name) { html_ = name; });
    options.option("--frames", "A:B", "frames from number A until before B, counted from 0",
                   [this](const std::string& text) { frames_ = FrameRange::parse(text); });
    options.option("--topic", "REGEX", "the first channel whose topic has a match of this regular expression",
                   [this](const std::string& text) { topic_.emplace(text); });
    options.option("--spoil", "VARIANT", "falsify the result of a variant by one bit; the run must then fail: a test of the benchmark",
                   [this](const std::string& name) { spoiled_ = name; });
    declare_more(options);
    input_.declare(options);
}

SampleOptions TraceBenchCommand::sample_options(const std::stop_token& stop) const
{
    SampleOptions options;
    options.open = input_.open_options();
    options.open.stop = stop;
    options.frames = frames_;
    options.topic = topic_;
    options.stop = stop;
    if (quick_) options.most_bytes = quick_bytes;
    return options;
}

int TraceBenchCommand::repetitions() const { return repetitions_.value_or(quick_ ? quick_repetitions : default_repetitions); }

std::string TraceBenchCommand::command_line() const
{
    return "osiplay bench " + std::string(text().name) + ' ' + words_.front() + (quick_ ? " --quick" : "") + " --repetitions " +
           std::to_string(repetitions());
}

void TraceBenchCommand::publish(const Report& report, app::Messages& messages) const
{
    messages.clear_progress();
    app::print(json_ ? json_of(report) : text_of(report));
    if (html_) write_file(*html_, html_of(report));
}

app::ExitCode TraceBenchCommand::run(app::Messages& messages)
{
    app::Interrupt interrupt;
    const auto sample = load_sample(words_.front(), sample_options(interrupt.token()));
    Report report{title(), command_line(), {sample.text()}, this_machine(), repetitions(), {}};
    bool found = spoiled_.empty();
    ContestOptions options{repetitions(), spoiled_, interrupt.token(), {}};
    const auto measure_round = [&](const Round& round) {
        for (const auto& variant : round.variants) found = found || (variant.name == spoiled_ && variant.answer);
        options.on_progress = [&](double done) {
            app::Messages::Progress progress;
            progress.label = round.name;
            progress.done = done;
            messages.progress(progress);
        };
        report.rounds.push_back(contest(round, options));
    };
    measure(sample, {measure_round, [&](std::string fact) { report.facts.push_back(std::move(fact)); }, interrupt.token(), quick_});
    if (!found) throw Error(Cause::usage, "--spoil: there is no variant '" + spoiled_ + "' with a result here");
    publish(report, messages);
    return app::ExitCode::done;
}

}  // namespace ositrace::bench
