// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/bench_command.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <unistd.h>

#include <ositrace/error.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

constexpr int quick_repetitions = 5;
constexpr std::size_t quick_bytes = std::size_t{1} << 20;

void write_file(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw Error(Cause::io, {.file = file}, "cannot be written");
}

/// A report of an earlier run is replaced, nothing else.
void check_is_report(const std::filesystem::path& file)
{
    if (!std::filesystem::exists(file)) return;
    std::array<char, 256> front{};
    if (std::filesystem::is_regular_file(file)) std::ifstream(file, std::ios::binary).read(front.data(), front.size());
    if (!begins_as_page({front.data(), front.size()}))
        throw Error(Cause::exists, file.string() + " exists and is not a report of this program; choose another name");
}

void check_can_be_written(const std::filesystem::path& file)
{
    const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (std::filesystem::is_directory(file))
        throw Error(Cause::io, {.file = file}, "is a folder, expected the name of a file");
    if (!std::filesystem::is_directory(folder))
        throw Error(Cause::io, {.file = file}, "cannot be written: there is no such folder");
    if (::access(folder.c_str(), W_OK) != 0)
        throw Error(Cause::io, {.file = file}, "cannot be written: " + std::generic_category().message(errno));
}

}  // namespace

void BenchCommand::declare(app::Options& options)
{
    options.flag("--quick", quick_, "a short trial: 5 repetitions of little work; do not quote its figures");
    options.option(
        "--repetitions", "N",
        "number of timed repetitions of each variant; default " + std::to_string(default_repetitions()),
        [this](const std::string& text) { repetitions_ = static_cast<int>(app::parse_count(text, 1, 100'000)); });
    app::declare_json(options, json_, "the result as JSON, with all samples");
    options.option("--html", "REPORT", "also write the result as a self-contained web page with charts",
                   [this](const std::string& name) { html_ = name; });
    options.option("--scratch", "DIR",
                   "folder for temporary files of the measurement; default: the system's temporary folder",
                   [this](const std::string& name) { scratch_ = name; });
    options.option(
        "--compare", "FILE.json",
        "report the rows that differ from an earlier run by more than the quartiles; exit 3 if there are any",
        [this](const std::string& name) { earlier_ = name; });
    options.option("--spoil", "VARIANT",
                   "falsify the result of a variant by one bit; the run must then fail: a test of the benchmark",
                   [this](const std::string& name) { spoiled_ = name; });
    declare_more(options);
}

/// Reports an output that cannot be written before the measurement, not after it.
void BenchCommand::check_page(const std::filesystem::path& page) const
{
    auto read = inputs();
    if (earlier_) read.push_back(*earlier_);
    refuse_inputs(page, read);
    check_can_be_written(page);
    check_is_report(page);
}

int BenchCommand::repetitions() const
{
    return repetitions_.value_or(quick_ ? quick_repetitions : default_repetitions());
}

void BenchCommand::publish(const Report& report, app::Messages& messages) const
{
    messages.clear_progress();
    app::print(json_ ? json_of(report) : text_of(report));
    if (html_) write_file(*html_, html_of(report));
}

Report BenchCommand::measured(const ContestOptions& base, const EarlierRun* earlier, app::Messages& messages)
{
    Report report{title(), own_command_line(), {}, this_machine(), repetitions(), {}, {}, {}};
    bool found = spoiled_.empty();
    auto options = base;
    const auto measure_round = [&](const Round& round) {
        for (const auto& variant : round.variants) found = found || (variant.name == spoiled_ && variant.answer);
        options.on_progress = [&](double done) {
            app::Messages::Progress progress;
            progress.label = round.name;
            progress.done = done;
            messages.progress(progress);
        };
        return report.rounds.emplace_back(contest(round, options));
    };
    Bench bench{measure_round,
                [&](Table table) { report.tables.push_back(std::move(table)); },
                [&](Headline headline) { report.headline = std::move(headline); },
                [&](std::string fact) { report.facts.push_back(std::move(fact)); },
                base.stop,
                scratch_,
                quick_};
    measure_all(bench);
    if (earlier != nullptr) conclude(*earlier, bench);
    if (report.headline && report.machine.load > report.machine.cores / 2.0)
        report.headline->advice.insert(report.headline->advice.begin(),
                                       "Measure again before you decide: this machine was busy with other work (load " +
                                           app::decimal_text(report.machine.load, 1) + ").");
    if (!found) throw Error(Cause::usage, "--spoil: there is no variant '" + spoiled_ + "' with a result here");
    return report;
}

app::ExitCode BenchCommand::run(app::Messages& messages)
{
    app::Interrupt interrupt;
    if (html_) check_page(*html_);
    std::optional<EarlierRun> earlier;
    if (earlier_) earlier.emplace(*earlier_);
    auto report = measured({repetitions(), spoiled_, interrupt.token(), {}}, earlier ? &*earlier : nullptr, messages);
    bool differs = false;
    if (earlier) report.tables.push_back(earlier->compare(report, differs));
    publish(report, messages);
    return differs ? app::ExitCode::findings : app::ExitCode::success;
}

void TraceBenchCommand::declare_more(app::Options& options)
{
    options.words("TRACE", words_, 1, 1);
    options.option("--frames", "A:B", "frames from number A until before B, counted from 0",
                   [this](const std::string& text) { frames_ = FrameRange::parse(text); });
    options.option("--topic", "REGEX", "the first channel whose topic has a match of this regular expression",
                   [this](const std::string& text) { topic_.emplace(text); });
    declare_of_verb(options);
    input_.declare(options);
}

void TraceBenchCommand::measure_all(const Bench& bench)
{
    SampleOptions options;
    options.open = input_.open_options();
    options.open.stop = bench.stop;
    options.frames = frames_;
    options.topic = topic_;
    options.stop = bench.stop;
    if (bench.quick) options.most_bytes = quick_bytes;
    const auto sample = load_sample(words_.front(), options);
    bench.say(sample.text());
    measure(sample, bench);
}

}  // namespace ositrace::bench
