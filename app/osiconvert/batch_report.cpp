// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/batch.hpp"
#include "app/osiconvert/batch_text.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

using State = FileOutcome::State;

std::string_view name_of(State state)
{
    switch (state) {
    case State::done: return "done";
    case State::already_complete: return "already_complete";
    case State::different: return "different";
    case State::failed: return "failed";
    }
    return "";
}

void add_outcome(JsonWriter& json, const FileOutcome& outcome)
{
    const auto& result = outcome.result;
    json.begin_object()
        .member("input", outcome.job.input.string())
        .member("output", outcome.job.output.string())
        .member("state", name_of(outcome.state))
        .member("error", outcome.error.empty() ? std::nullopt : std::optional<std::string>(outcome.error))
        .member("type", outcome.type_name)
        .member("frames", result.frames)
        .member("skipped", outcome.loss.skipped_frames)
        .member("skipped_bytes", outcome.loss.skipped_bytes);
    add_left_out(json, result);
    json.member("other_wire_form", result.other_wire_form)
        .member("bytes_in", outcome.bytes_in)
        .member("bytes_out", outcome.bytes_out)
        .member("seconds", outcome.seconds.count())
        .end_object();
}

}  // namespace

std::string line_of(const FileOutcome& outcome)
{
    const std::string names = shown_file(outcome.job.input, "standard input") + " -> " + shown_file(outcome.job.output, "standard output") + ": ";
    if (outcome.state == State::failed) return names + "failed\n";
    if (outcome.state == State::different) return names + "does not come back the same\n";
    if (outcome.state == State::already_complete) return names + "complete already\n";
    const auto& result = outcome.result;
    std::string line = names + count_text(result.frames, "frame") + (outcome.type_name.empty() ? "" : " of " + printable(outcome.type_name) + (outcome.other_channels ? " and of other channels" : "")) + ", " +
                       bytes_text(outcome.bytes_in) + " -> " + bytes_text(outcome.bytes_out) + speed_text(outcome.bytes_in, outcome.seconds);
    if (result.other_wire_form != 0) line += "; same content in another wire form: " + count_text(result.other_wire_form, "frame");
    return line + '\n';
}

std::string summary_of(const std::vector<FileOutcome>& outcomes, std::string_view done_word)
{
    FileOutcome sum;
    std::uint64_t done = 0, complete = 0, different = 0, failed = 0;
    for (const auto& outcome : outcomes) {
        done += outcome.state == State::done;
        complete += outcome.state == State::already_complete;
        different += outcome.state == State::different;
        failed += outcome.state == State::failed;
        sum.result.frames += outcome.result.frames;
        sum.bytes_in += outcome.bytes_in;
        sum.bytes_out += outcome.bytes_out;
        sum.seconds += outcome.seconds;
    }
    std::string text = count_text(done, "file") + ' ' + std::string(done_word);
    if (complete != 0) text += ", " + std::to_string(complete) + " complete already";
    if (different != 0) text += ", " + std::to_string(different) + " different";
    if (failed != 0) text += ", " + std::to_string(failed) + " failed";
    if (done == 0) return text + '\n';
    return text + ": " + count_text(sum.result.frames, "frame") + ", " + bytes_text(sum.bytes_in) + " -> " + bytes_text(sum.bytes_out) +
           speed_text(sum.bytes_in, sum.seconds) + '\n';
}

std::string json_of(const std::vector<FileOutcome>& outcomes)
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& outcome : outcomes) add_outcome(json, outcome);
    return json.end_array().end_object().text();
}

}  // namespace ositrace::app
