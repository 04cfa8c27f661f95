// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/static.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/output.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

class StaticCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "static",
            .summary = "write the map into every frame, or only where it changes",
            .usage = {"static expand|compact IN -o OUT", "static expand|compact IN... --out-dir DIR [--resume]"},
            .notes = {"expand copies the map, with its projection and reference, into every frame that lacks "
                      "it, so that a reader can",
                      "start at any frame. compact keeps it only in the first frame and where it changes. compact "
                      "undoes expand if no frame",
                      "repeats the map; expand undoes compact if every map field of a frame is in all later frames."},
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
    expand_ = request_.remove_mode("expand", "compact") == "expand";
    const auto jobs = request_.plan();
    const auto open = request_.input.open_options(messages);
    return run_jobs(
        jobs, request_.job_options(expand_ ? "expanded" : "compacted"), messages,
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
    messages.warning(shown_file(job.input(), "standard input") + ": static data " +
                     (expand_ ? "copied into " : "removed from ") + std::to_string(counts.changed) + " of " +
                     count_text(counts.frames, "frame") + ", payloads " + bytes_text(counts.bytes_before) + " -> " +
                     bytes_text(counts.bytes_after));
    return outcome;
}

}  // namespace

std::unique_ptr<Command> static_command() { return std::make_unique<StaticCommand>(); }

}  // namespace ositrace::app
