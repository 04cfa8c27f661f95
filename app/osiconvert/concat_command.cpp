// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit_concat.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

constexpr int digits = 6;

std::string seconds_text(Nanoseconds time)
{
    return decimal_text(static_cast<double>(time.count()) * 1e-9, digits) + " s";
}

class ConcatCommand final : public Command {
public:
    CommandText text() const override
    {
        return {
            .name = "concat",
            .summary = "put traces one after the other",
            .usage = {"concat IN... -o OUT [--retime]"},
            .notes =
                {"All inputs have one message type and encoding; of MCAP files, channels continue that of their topic.",
                 "Times are kept unless --retime shifts each trace to start after the previous one. The exit",
                 "code is 3 when times jump back from one trace to the next."},
            .examples = {"concat monday.osi tuesday.osi -o week.osi --retime", "concat part*.osi -o whole.osi"}};
    }
    void declare(Options& options) override
    {
        options.flag("--retime", retime_,
                     "shift the times of each trace to one step after the end of the previous one");
        request_.joins = true;
        request_.declare(options, SIZE_MAX, false);
    }
    ExitCode run(Messages& messages) override;

private:
    EditRequest request_;
    bool retime_ = false;
};

ExitCode ConcatCommand::run(Messages& messages)
{
    const auto jobs = request_.plan();
    auto open = request_.input.open_options(messages);
    ConcatOptions options;
    options.retime = retime_;
    bool jumps_back = false;
    options.on_backward = [&](const BackwardJoint& joint) {
        const bool repeats = joint.starts == joint.previous_end;
        const auto text = joint.file.string() + ": begins at " + seconds_text(joint.starts) +
                          (repeats ? ", the end of " : ", before the end of ") + joint.previous_file.string() +
                          (repeats ? "" : " at " + seconds_text(joint.previous_end)) + ". Use --retime to shift it.";
        repeats ? messages.warning(text) : messages.error(text);
        jumps_back = jumps_back || !repeats;
    };
    options.own_channels = is_mcap(*request_.output, request_.write);
    options.on_own_channel = [&](const OwnChannel& own) {
        messages.warning(own.file.string() + ": '" + own.topic + "' has " + own.difference +
                         " than what it continues: it becomes a channel of its own, '" + own.own_topic + "'");
    };
    options.on_other_profile = [&](const std::filesystem::path& file, const std::string& profile) {
        messages.warning(file.string() + ": its profile '" + profile +
                         "' is left out: the output has that of the first input");
    };
    const auto run = [&](const FileJob& job, std::stop_token stop) {
        open.stop = stop;
        const auto edit = concat(job.inputs, open, options);
        auto outcome = write_edit(*edit, job, request_, messages, std::move(stop));
        tell_zero_times(zero_times_of(edit->info().metadata), "", messages);
        return outcome;
    };
    const auto code = run_batch(jobs, request_.batch_options("put together"), messages, run);
    return code == ExitCode::done && jumps_back ? ExitCode::answer_is_no : code;
}

}  // namespace

std::unique_ptr<Command> concat_command() { return std::make_unique<ConcatCommand>(); }

}  // namespace ositrace::app
