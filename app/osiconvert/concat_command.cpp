// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <ositrace/count_text.hpp>
#include <ositrace/edit/concat.hpp>
#include <ositrace/error.hpp>

#include "app/osiconvert/commands.hpp"
#include "app/osiconvert/edit.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

class ConcatCommand final : public Command {
public:
    CommandText text() const override
    {
        return {.name = "concat",
                .summary = "append traces to one another",
                .usage = {"concat IN... -o OUT [--retime]"},
                .notes = {"All inputs have the same message type and encoding; channels of MCAP files continue those "
                          "with the same topic.",
                          "Pieces of a split are appended in the order of their numbers, other inputs that do not "
                          "overlap in time in the order of their times. Times are kept unless",
                          "--retime shifts each trace to start after the previous one, in the order given. The exit "
                          "code is 3",
                          "if times jump back from one trace to the next."},
                .examples = {"concat monday.osi tuesday.osi -o week.osi --retime", "concat parts/ -o whole.osi"}};
    }
    void declare(Options& options) override
    {
        options.flag("--retime", retime_,
                     "shift the times of each trace to begin one step after the end of the previous one");
        request_.joins = true;
        request_.declare(options, SIZE_MAX, false);
    }
    ExitCode run(Messages& messages) override;

private:
    [[nodiscard]] std::vector<std::filesystem::path> ordered(const std::vector<std::filesystem::path>& inputs,
                                                             const OpenOptions& open, Messages& messages);
    [[nodiscard]] std::string advice(const BackwardJoint& joint) const;

    EditRequest request_;
    bool retime_ = false;
    bool is_split_ = false;  ///< the inputs are the pieces of one split
};

/// Who wants another order than that of the times must say so with --retime.
std::vector<std::filesystem::path> ConcatCommand::ordered(const std::vector<std::filesystem::path>& inputs,
                                                          const OpenOptions& open, Messages& messages)
{
    const auto by_number = in_order_of_number(inputs);
    is_split_ = by_number.has_value();
    if (by_number) return *by_number;
    auto by_time = in_order_of_time(inputs, open);
    if (by_time == inputs) return inputs;
    const auto other = std::ranges::mismatch(by_time, inputs).in1->string();
    if (retime_) {
        messages.warning(other + ": by its time it comes earlier. --retime appends the inputs in the order given.");
        return inputs;
    }
    messages.warning("the inputs are appended in the order of their times: " + other + " comes earlier than named");
    return by_time;
}

std::string ConcatCommand::advice(const BackwardJoint& joint) const
{
    if (is_split_) return ". By its number it follows; --retime shifts its times to follow, too.";
    if (!joint.before.empty()) return ". It overlaps no input: name it before " + joint.before.string() + ".";
    return ". The inputs overlap, so they are appended as given; --retime shifts it to follow.";
}

ExitCode ConcatCommand::run(Messages& messages)
{
    const auto jobs = request_.plan();
    auto open = request_.input.open_options(messages);
    ConcatOptions options;
    options.retime = retime_;
    bool jumps_back = false;
    options.on_backward = [&](const BackwardJoint& joint) {
        const bool repeats = joint.starts == joint.previous_end;
        const auto text = joint.file.string() + ": begins at " + rounded_seconds_text(joint.starts) +
                          (repeats ? ", the end of " : ", before the end of ") + joint.previous_file.string() +
                          (repeats ? "" : " at " + rounded_seconds_text(joint.previous_end)) + advice(joint);
        repeats ? messages.warning(text) : messages.error(text);
        jumps_back = jumps_back || !repeats;
    };
    options.own_channels = output_container(*request_.output, request_.write).several_channels;
    options.on_own_channel = [&](const OwnChannel& own) {
        messages.warning(own.file.string() + ": '" + own.topic + "' has " + own.difference +
                         " than the channel that it continues: it is written as channel '" + own.own_topic + "'");
    };
    options.on_other_profile = [&](const std::filesystem::path& file, const std::string& profile) {
        messages.warning(file.string() + ": its profile '" + profile +
                         "' is dropped: the output has that of the first input");
    };
    std::map<std::string, std::uint64_t> equal_maps;  // by topic
    options.on_equal_map = [&](const std::string& topic) { ++equal_maps[topic]; };
    const auto run = [&](const FileJob& job, std::stop_token stop) {
        open.stop = stop;
        const auto edit = concat(ordered(job.inputs, open, messages), open, options);
        auto outcome = write_edit(*edit, job, request_, messages, std::move(stop));
        for (const auto& [topic, count] : std::exchange(equal_maps, {}))
            messages.warning(count_text(count, "message") + " of '" + topic + "' " + is_or_are(count) +
                             " left out: equal to the map before");
        report_zero_times(zero_times_of(edit->info().metadata), "", messages);
        return outcome;
    };
    const auto code = run_jobs(jobs, request_.job_options("concatenated"), messages, run);
    return code == ExitCode::success && jumps_back ? ExitCode::findings : code;
}

}  // namespace

std::unique_ptr<Command> concat_command() { return std::make_unique<ConcatCommand>(); }

}  // namespace ositrace::app
