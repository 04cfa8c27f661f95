// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <set>

#include "app/osiconvert/file_jobs.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

using State = FileOutcome::State;

/// Below this, the speed is mostly that of starting a process.
constexpr std::uint64_t bytes_worth_a_speed = 100'000'000;

/// `, 1.2 s, 812 MB/s`, or nothing.
std::string speed_text(std::uint64_t bytes, std::chrono::duration<double> seconds)
{
    if (bytes < bytes_worth_a_speed) return "";
    return ", " + duration_text(seconds.count()) + ", " + rate_text(static_cast<double>(bytes) / seconds.count());
}

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

/// The type of all OSI channels, or of the only channel; empty if there are several or none.
std::string type_of(const FileOutcome& outcome)
{
    std::set<std::string> types;
    for (const auto& channel : outcome.channels)
        if (channel.root || outcome.channels.size() == 1) types.insert(channel.type_name);
    return types.size() == 1 ? *types.begin() : "";
}

std::string inputs_text(const FileJob& job)
{
    auto text = shown_file(job.input(), "standard input");
    if (job.inputs.size() > 1) text += " and " + count_text(job.inputs.size() - 1, "other");
    return text;
}

std::string content_text(const FileOutcome& outcome)
{
    const auto frames = count_text(outcome.result.frames, "frame");
    const auto channels = outcome.channels.size() + outcome.version_channels.size();
    const auto type = type_of(outcome);
    if (channels > 1) return frames + " in " + count_text(channels, "channel");
    return type.empty() ? frames : frames + " of " + printable(type);
}

void add_channels(JsonWriter& json, const FileOutcome& outcome)
{
    json.key("channels").begin_array();
    for (const auto& channel : outcome.channels)
        json.begin_object().member("topic", channel.topic).member("type", channel.type_name).end_object();
    for (const auto& each : outcome.version_channels)
        json.begin_object()
            .member("topic", each.topic)
            .member("type", each.type_name)
            .member("osi_version", each.version)
            .member("split_from", each.of_topic)
            .end_object();
    json.end_array().key("left_out_channels").begin_array();
    for (const auto& topic : outcome.loss.left_out_topics) json.value(topic);
    json.end_array();
}

void add_profile(JsonWriter& json, const OmegaPrimeResult& profile)
{
    json.key("profile_added").begin_array();
    for (const auto& [field, frames] : profile.added)
        json.begin_object().member("field", field).member("frames", frames).end_object();
    json.end_array().key("profile_findings").begin_array();
    for (std::size_t i = 0; i < profile.check.findings.size(); ++i) {  // one of each id, in the order of the counts
        const auto& finding = profile.check.findings[i];
        json.begin_object()
            .member("id", finding.id)
            .member("severity", name_of(finding.severity))
            .member("count", profile.check.counts[i].count)
            .member("frame", finding.frame)
            .member("field", finding.field.empty() ? std::nullopt : std::optional(finding.field))
            .member("message", finding.message)
            .end_object();
    }
    json.end_array();
}

std::string_view name_of(FieldEdit::Kind kind)
{
    switch (kind) {
    case FieldEdit::Kind::drop: return "drop";
    case FieldEdit::Kind::keep: return "keep";
    case FieldEdit::Kind::set: return "set";
    case FieldEdit::Kind::round: break;
    }
    return "round";
}

void add_edits(JsonWriter& json, const FieldEditCounts& edits)
{
    json.key("edits").begin_array();
    for (const auto& done : edits.edits) {
        const bool is_round = done.edit.kind == FieldEdit::Kind::round;
        json.begin_object()
            .member("edit", name_of(done.edit.kind))
            .member("path", done.edit.path)
            .member("count", done.count)
            .member("bytes", done.bytes)
            .member("grid", is_round ? std::optional(grid_of(done.edit.step)) : std::nullopt)
            .member("largest_error", is_round ? std::optional(done.largest_error) : std::nullopt)
            .end_object();
    }
    json.end_array().key("unchanged_topics").begin_array();
    for (const auto& topic : edits.unchanged_topics) json.value(topic);
    json.end_array()
        .member("changed_frames", edits.changed)
        .member("not_kept", edits.left_out)
        .member("not_kept_bytes", edits.left_out_bytes);
}

void add_resampled(JsonWriter& json, const ResampleCounts& counts)
{
    json.key("resampled").begin_object();
    json.member("frames_in", counts.frames_in)
        .member("unchanged", counts.unchanged)
        .member("interpolated", counts.interpolated)
        .member("held", counts.held)
        .key("largest_step")
        .nanoseconds(counts.largest_gap.count())
        .key("fields")
        .begin_array();
    for (const auto& field : counts.fields) json.value(field);
    json.end_array().end_object();
}

void add_outcome(JsonWriter& json, const FileOutcome& outcome)
{
    const auto& result = outcome.result;
    const auto& inputs = outcome.job.inputs;
    json.begin_object().member("input", inputs.size() == 1 ? std::optional(inputs.front().string()) : std::nullopt);
    json.key("inputs").begin_array();
    for (const auto& input : inputs) json.value(input.string());
    json.end_array()
        .member("output", outcome.job.output.string())
        .member("state", name_of(outcome.state))
        .member("error", outcome.error.empty() ? std::nullopt : std::optional<std::string>(outcome.error))
        .member("type", type_of(outcome));
    add_channels(json, outcome);
    json.member("frames", result.frames)
        .member("skipped", outcome.loss.skipped_frames)
        .member("skipped_bytes", outcome.loss.skipped_bytes)
        .member("lost_frames", outcome.loss.lost_frames.count())
        .member("kept_unproven", std::min(outcome.loss.kept_unproven, result.frames));
    add_left_out(json, result);
    if (outcome.profile) add_profile(json, *outcome.profile);
    if (outcome.edits) add_edits(json, *outcome.edits);
    if (outcome.resampled) add_resampled(json, *outcome.resampled);
    json.member("other_wire_form", result.other_wire_form)
        .member("bytes_in", outcome.bytes_in)
        .member("bytes_out", outcome.bytes_out)
        .member("seconds", outcome.seconds.count())
        .end_object();
}

}  // namespace

std::string line_of(const FileOutcome& outcome)
{
    const std::string names =
        inputs_text(outcome.job) + " -> " + shown_file(outcome.job.output, "standard output") + ": ";
    if (outcome.state == State::failed) return names + "failed\n";
    if (outcome.state == State::different) return names + "differs after converting back\n";
    if (outcome.state == State::already_complete) return names + "already complete\n";
    const auto& result = outcome.result;
    auto line = names + content_text(outcome) + ", " + bytes_text(outcome.bytes_in) + " -> " +
                bytes_text(outcome.bytes_out) + speed_text(outcome.bytes_in, outcome.seconds);
    if (result.other_wire_form != 0)
        line += "; equal content in another wire form: " + count_text(result.other_wire_form, "frame");
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
    if (complete != 0) text += ", " + std::to_string(complete) + " already complete";
    if (different != 0) text += ", " + std::to_string(different) + " different";
    if (failed != 0) text += ", " + std::to_string(failed) + " failed";
    if (done == 0) return text + '\n';
    return text + ": " + count_text(sum.result.frames, "frame") + ", " + bytes_text(sum.bytes_in) + " -> " +
           bytes_text(sum.bytes_out) + speed_text(sum.bytes_in, sum.seconds) + '\n';
}

std::string json_of(const std::vector<FileOutcome>& outcomes)
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& outcome : outcomes) add_outcome(json, outcome);
    return json.end_array().end_object().text();
}

}  // namespace ositrace::app
