// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit_static.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

class StaticCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "static",
                .summary = "repeat the map in every frame, or keep it where it changes",
                .usage = {"static expand|compact IN -o OUT", "static expand|compact IN... --out-dir DIR [--resume]"},
                .notes = {"expand: every frame gets the map that an earlier frame brought and it lacks, with its "
                          "projection and reference, so",
                          "that a reader may begin anywhere. compact: they stay in the first frame and where they "
                          "change. compact undoes",
                          "expand where no frame repeats the map, expand undoes compact where a map field, once there, "
                          "is in every later frame."},
                .examples = {"static expand drive.osi -o whole.osi", "static compact whole.osi -o small.osi.zst",
                             "static expand *.mcap --out-dir whole"}};
    }
    void declare(Options& options) override { request_.declare(options, SIZE_MAX, true); }
    ExitCode run(Messages& messages) override;

private:
    FileOutcome run_one(const OpenOptions& open, const FileJob& job, Messages& messages, std::stop_token stop) const;

    EditRequest request_;
    bool expand_ = true;
};

ExitCode StaticCommand::run(Messages& messages)
{
    expand_ = request_.take_mode("expand", "compact") == "expand";
    const auto jobs = request_.plan();
    const auto open = request_.input.open_options(messages);
    return run_batch(
        jobs, request_.batch_options(expand_ ? "expanded" : "compacted"), messages,
        [&](const FileJob& job, std::stop_token stop) { return run_one(open, job, messages, std::move(stop)); });
}

FileOutcome StaticCommand::run_one(const OpenOptions& open, const FileJob& job, Messages& messages,
                                   std::stop_token stop) const
{
    StaticCounts counts;
    auto open_here = open;
    open_here.stop = stop;
    auto in = open_source(job.input(), open_here);
    const auto edit = expand_ ? expand_static(std::move(in), counts) : compact_static(std::move(in), counts);
    auto outcome = write_edit(*edit, job, request_, messages, std::move(stop));
    messages.warning(job.input().string() + ": static data " + (expand_ ? "put into " : "left out of ") +
                     std::to_string(counts.changed) + " of " + count_text(counts.frames, "frame") + ", payloads " +
                     bytes_text(counts.bytes_before) + " -> " + bytes_text(counts.bytes_after));
    return outcome;
}

}  // namespace

std::unique_ptr<Command> static_command() { return std::make_unique<StaticCommand>(); }

}  // namespace ositrace::app
