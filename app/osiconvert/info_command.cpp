// SPDX-License-Identifier: MPL-2.0
#include <chrono>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/info.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/terminal/common_options.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"

namespace ositrace::app {

bool FileReport::damaged() const noexcept
{
    if (!summary) return damaged_before_all;
    if (summary->damage) return true;
    for (const auto& channel : summary->channels) {
        if (channel.unreadable_frames != 0 || channel.other_type_frames != 0) return true;
    }
    return false;
}

namespace {

class InfoCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "info",
            .summary = "print what a trace contains",
            .usage = {"info PATH... [--full]"},
            .notes = {"PATH is a file, or a folder with all traces in it.",
                      "The content of messages is read from the first, the middle and the last frame and marked "
                      "`sampled`; --full reads",
                      "every frame. The exit code is 3 if something in a file cannot be read, or is of another type "
                      "than the rest."},
            .examples = {"info drive.osi", "info *.osi *.osifb",
                         "info drive.osi --full --json | jq '.files[0].channels[0].rate_hz'"}};
    }

    void declare(Options& options) override
    {
        options.words("PATH", words_, 1, SIZE_MAX);
        options.flag("--full", full_, "read every frame for times, gaps and static data");
        input_.declare(options);
        declare_json(options, json_, "print JSON");
    }

    ExitCode run(Messages& messages) override
    {
        check_one_standard_input(words_);
        const auto open = input_.open_options(messages);
        const Interrupt interrupt;
        std::vector<FileReport> reports;
        for (const auto& word : with_folders(words_)) {
            reports.push_back(report_of(word, open, messages, interrupt.token()));
            messages.clear_progress();
            if (!json_ && reports.back().summary) print((reports.size() == 1 ? "" : "\n") + text_of(reports.back()));
        }
        if (json_) print_json(reports);
        return exit_code_of(reports);
    }

private:
    /// One bad file does not stop the others.
    FileReport report_of(const std::string& word, OpenOptions open, Messages& messages, std::stop_token stop) const
    {
        FileReport report{.file = word};
        try {
            open.stop = stop;
            const auto trace = open_trace(word, open);
            report.summary = summarize(*trace, summary_options(word, messages), stop);
            warn_if_misnamed(trace->info(), messages);
            find_map(*trace, open.max_message_bytes, report);
        } catch (const Error& e) {
            if (e.cause() == Cause::cancelled) throw;
            messages.failure(e);
            report.error = e.what();
            report.damaged_before_all = is_damage_of_trace(e);
        }
        return report;
    }

    /// A map that cannot be read is a fact about the trace, not a failure.
    static void find_map(const Trace& trace, std::size_t max_bytes, FileReport& report)
    {
        if (trace.info().container.map) return;
        try {
            report.map = map_of(trace, {.file = {}, .max_bytes = max_bytes});
        } catch (const Error& error) {
            report.map_error = error.where().file == trace.info().file ? error.reason() : error.what();
        }
    }

    SummaryOptions summary_options(const std::string& word, Messages& messages) const
    {
        SummaryOptions options;
        options.full = full_;
        options.on_progress = [&messages, word, started = std::chrono::steady_clock::now()](std::uint64_t frames,
                                                                                            std::uint64_t of_frames) {
            const double done = static_cast<double>(frames) / static_cast<double>(of_frames);
            messages.progress({shown_file(word, "standard input"), frames, std::nullopt, done,
                               std::chrono::steady_clock::now() - started});
        };
        return options;
    }

    static ExitCode exit_code_of(const std::vector<FileReport>& reports)
    {
        auto code = ExitCode::success;
        for (const auto& report : reports) {
            if (!report.summary && !report.damaged()) return ExitCode::failed;
            if (report.damaged()) code = ExitCode::findings;
        }
        return code;
    }

    std::vector<std::string> words_;
    InputOptions input_;
    bool full_ = false;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> info_command() { return std::make_unique<InfoCommand>(); }

}  // namespace ositrace::app
