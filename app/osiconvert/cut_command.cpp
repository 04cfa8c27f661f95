// SPDX-License-Identifier: MPL-2.0
#include <optional>

#include <ositrace/edit/cut.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/osiconvert/inputs.hpp"
#include "app/terminal/quantity.hpp"
#include "app/terminal/static_text.hpp"

namespace ositrace::app {
namespace {

class CutCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "cut",
            .summary = "extract a part of a trace",
            .usage = {"cut IN -o OUT [--time A:B] [--frames A:B] [--every N] [--topic REGEX]",
                      "cut IN... --out-dir DIR [--resume]"},
            .notes =
                {"Static data (map, version, mounting position ...) of dropped frames is copied into the first frame "
                 "that is kept, unless",
                 "--static drop is given. Metadata, attachments and other channels are kept."},
            .examples = {"cut drive.osi -o part.osi --time 2:5", "cut drive.osi -o end.osi --time -5:",
                         "cut both.mcap -o lidar.mcap --topic lidar", "cut *.osi --out-dir thin --every 10"}};
    }
    void declare(Options& options) override;
    ExitCode run(Messages& messages) override;

private:
    FileOutcome run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const;

    EditRequest request_;
    SelectionOptions selection_;
    std::optional<std::uint64_t> every_;
    bool carry_static_ = true;
};

void CutCommand::declare(Options& options)
{
    selection_.declare(options);
    options.option("--every", "N", "every N-th frame of each channel in the range",
                   [this](const std::string& text) { every_ = parse_count(text, 1); });
    options.option("--static", "WHAT",
                   "carry (default): copy the static data of dropped frames into the first frame that is kept | drop",
                   [this](const std::string& text) { carry_static_ = parse_static_choice(text); }, {"carry", "drop"});
    request_.declare(options, SIZE_MAX, true);
}

ExitCode CutCommand::run(Messages& messages)
{
    if (!selection_.time.is_given() && !selection_.frames && !selection_.topic && !every_)
        throw Error(Cause::usage, "nothing to cut: use --time, --frames, --every or --topic");
    request_.may_be_empty = false;
    return run_edits(request_, "cut", messages,
                     [&](const OpenOptions& open, const FileJob& job) { return run_one(open, job, messages); });
}

FileOutcome CutCommand::run_one(const OpenOptions& open, const FileJob& job, Messages& messages) const
{
    auto options = cut_options(selection_);
    options.every = every_.value_or(1);
    options.carry_static = carry_static_;
    CarriedReport report(job.input(), messages);
    options.on_carry = [&](const CarriedPart& part) { report.add(part); };
    const auto edit = selected_frames(job.input(), open, std::move(options), messages);
    auto outcome = write_edit(*edit, job, request_, messages, open.stop);
    report.finish();
    return outcome;
}

}  // namespace

std::unique_ptr<Command> cut_command() { return std::make_unique<CutCommand>(); }

}  // namespace ositrace::app
