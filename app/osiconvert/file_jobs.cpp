// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/file_jobs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>

#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "app/osiconvert/check.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/system/terminal.hpp"

namespace ositrace::app {
namespace {

FileOutcome run_one(const FileJob& job, const JobOptions& options, Messages& messages,
                    const std::function<FileOutcome(const FileJob&, std::stop_token)>& run, std::stop_token stop)
{
    FileOutcome outcome;
    outcome.job = job;
    if (options.outputs.resume && is_complete(job)) {
        outcome.state = FileOutcome::State::already_complete;
        return outcome;
    }
    try {
        return run(job, std::move(stop));
    } catch (const Error& e) {
        const bool alone = !options.outputs.directory && !options.json;
        // With --out-dir the options may fit the other files.
        if (alone || e.cause() == Cause::cancelled || (e.cause() == Cause::usage && !options.outputs.directory)) throw;
        messages.error(e);
        outcome.state = e.cause() == Cause::different ? FileOutcome::State::different : FileOutcome::State::failed;
        outcome.error = e.what();
    }
    return outcome;
}

ExitCode exit_code_of(const std::vector<FileOutcome>& outcomes)
{
    auto code = ExitCode::success;
    for (const auto& outcome : outcomes) {
        if (outcome.state == FileOutcome::State::failed) return ExitCode::failed;
        if (!outcome.loss_text().empty() || outcome.state == FileOutcome::State::different ||
            (outcome.profile && outcome.profile->check.errors != 0))
            code = ExitCode::findings;
    }
    return code;
}

void report_profile(const OmegaPrimeResult& result, const FileJob& job, Messages& messages)
{
    const auto warn = [&, input = shown_file(job.input(), "standard input")](std::string_view what) {
        messages.warning(std::string(input).append(": ").append(what));
    };
    for (const auto& [field, frames] : result.added)
        warn(std::string(field)
                 .append(" written into ")
                 .append(count_text(frames, "frame"))
                 .append(frames == 1 ? " that does not state it" : " that do not state it"));
    const auto lines = finding_lines(result.check);
    for (std::size_t i = 0; i < lines.size(); ++i)
        result.check.findings[i].severity == Severity::error ? messages.error(lines[i]) : messages.warning(lines[i]);
    for (const auto& note : result.check.notes) warn(note);
}

}  // namespace

bool is_complete(const FileJob& job)
{
    std::error_code absent;
    const auto written = std::filesystem::last_write_time(job.output, absent);
    if (absent || !std::filesystem::is_regular_file(job.output, absent)) return false;
    return std::ranges::all_of(job.inputs, [&](const std::filesystem::path& input) {
        const auto changed = std::filesystem::last_write_time(input, absent);
        return !absent && written >= changed;
    });
}

OutputFolder::OutputFolder(const std::filesystem::path& folder)
{
    std::error_code failed;
    for (auto path = folder; !path.empty() && !std::filesystem::exists(path, failed); path = path.parent_path())
        created_.push_back(path);
    std::filesystem::create_directories(folder, failed);
    if (failed) throw Error(Cause::io, {.file = folder}, failed.message());
}

OutputFolder::~OutputFolder()
{
    std::error_code not_empty;
    for (const auto& each : created_) std::filesystem::remove(each, not_empty);
}

std::string with_extension(const std::filesystem::path& file, std::string_view extension)
{
    auto name = file.filename().string();
    if (const auto old = trace_extension(name)) name.resize(name.size() - old->text.size());
    return name.append(extension);
}

std::vector<FileJob> plan_jobs(const std::vector<std::string>& words, const JobOptions& options,
                               const std::function<std::filesystem::path(const std::filesystem::path& input)>& name)
{
    std::vector<FileJob> jobs;
    std::map<std::filesystem::path, std::filesystem::path> inputs;  // by output
    for (const auto& word : with_folders(words, *options.outputs.directory)) {
        if (word == "-") throw Error(Cause::usage, "standard input has no file name for an output in --out-dir");
        auto output = *options.outputs.directory / name(word);
        const auto [other, is_new] = inputs.emplace(output, word);
        if (!is_new)
            throw Error(Cause::usage,
                        other->second.string() + " and " + word + " would both become " + output.string());
        jobs.push_back({{word}, std::move(output)});
    }
    return jobs;
}

ExitCode run_jobs(const std::vector<FileJob>& jobs, const JobOptions& options, Messages& messages,
                  const std::function<FileOutcome(const FileJob&, std::stop_token)>& run)
{
    std::optional<OutputFolder> folder;
    if (options.outputs.directory) folder.emplace(*options.outputs.directory);
    const bool lines = !options.json && !messages.quiet && !is_standard_output(jobs.front().output);
    const Interrupt interrupt;
    std::vector<FileOutcome> outcomes;
    for (const auto& job : jobs) {
        const auto& outcome = outcomes.emplace_back(run_one(job, options, messages, run, interrupt.token()));
        messages.clear_progress();
        report_loss(outcome.job.output, outcome.loss, outcome.result, messages);
        if (outcome.profile) report_profile(*outcome.profile, outcome.job, messages);
        if (lines) print_summary(line_of(outcome), messages);
    }
    if (lines && jobs.size() > 1) print_summary(summary_of(outcomes, options.done), messages);
    if (options.json) print(json_of(outcomes));
    return exit_code_of(outcomes);
}

Messages::Progress progress_of(std::string label, const ConvertProgress& progress,
                               std::chrono::steady_clock::time_point started)
{
    std::optional<double> done;
    if (progress.bytes_total && *progress.bytes_total != 0)
        done = static_cast<double>(progress.bytes_consumed) / static_cast<double>(*progress.bytes_total);
    return {std::move(label), progress.frames, progress.bytes_consumed, done,
            std::chrono::steady_clock::now() - started};
}

}  // namespace ositrace::app
