// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/resample.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

class ResampleCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "resample",
                .summary = "write messages at equal steps of time",
                .usage = {"resample IN -o OUT --period S", "resample IN... --out-dir DIR --period S [--resume]"},
                .notes = {"Between two messages, poses, velocities and accelerations of the objects that both have, by "
                          "id, are",
                          "interpolated, angles on the shorter way round the circle. Everything else is that of the "
                          "earlier message",
                          "at its new time. The report lists what was interpolated."},
                .examples = {"resample drive.osi -o drive_50hz.osi --period 0.02",
                             "resample drive.mcap -o drive_20hz.mcap --period 50ms"}};
    }
    void declare(Options& options) override
    {
        options.option("--period", "S", "time between two messages: 0.02 (seconds), 20ms",
                       [this](const std::string& text) { period_ = Nanoseconds(parse_seconds(text)); });
        request_.declare(options, SIZE_MAX, true);
    }
    ExitCode run(Messages& messages) override;

private:
    FileOutcome run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const;
    static void report(const ResampleCounts& counts, const std::string& file, Messages& messages);

    EditRequest request_;
    Nanoseconds period_{};
};

ExitCode ResampleCommand::run(Messages& messages)
{
    if (period_.count() <= 0) throw invalid_usage("--period S is missing, or not more than 0");
    return run_edits(request_, "resampled", messages,
                     [&](const OpenOptions& open, const FileJob& job) { return run_one(open, job, messages); });
}

void ResampleCommand::report(const ResampleCounts& counts, const std::string& file, Messages& messages)
{
    std::string fields;
    for (const auto& field : counts.fields) fields.append(fields.empty() ? "" : ", ").append(field);
    messages.warning(file + ": " + count_text(counts.frames_in, "frame") + " -> " + std::to_string(counts.frames_out) +
                     ", " + std::to_string(counts.unchanged) + " of them unchanged; the largest step was " +
                     rounded_seconds_text(counts.largest_gap));
    messages.warning(file + ": interpolated " + count_text(counts.interpolated, "pose") + ", held " +
                     std::to_string(counts.held) + " of objects that the next frame lacks" +
                     (fields.empty() ? "" : ": " + fields));
}

FileOutcome ResampleCommand::run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const
{
    ResampleCounts counts;
    const auto edit = resample(open_source(job.input(), open), period_, counts);
    auto outcome = write_edit(*edit, job, request_, messages, open.stop);
    if (!request_.json) report(counts, shown_file(job.input(), "standard input"), messages);
    outcome.resampled = std::move(counts);
    return outcome;
}

}  // namespace

std::unique_ptr<Command> resample_command() { return std::make_unique<ResampleCommand>(); }

}  // namespace ositrace::app
