// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/batch_text.hpp"
#include "app/osiconvert/convert_job.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

std::string inputs_text(const std::vector<std::string>& words)
{
    auto text = shown_file(words.front(), "standard input");
    if (words.size() > 1) text += " and " + count_text(words.size() - 1, "other");
    return text;
}

std::string content_text(const ConvertOutcome& outcome)
{
    const auto frames = count_text(outcome.result.frames, "frame");
    const auto channels = outcome.channels.size() + outcome.version_channels.size();
    if (channels == 1 && outcome.channels.front().type_name.empty()) return frames;
    if (channels == 1) return frames + " of " + printable(outcome.channels.front().type_name);
    return frames + " in " + count_text(channels, "channel");
}

}  // namespace

std::string line_of(const ConvertRequest& request, const ConvertOutcome& outcome)
{
    return inputs_text(request.files.words) + " -> " + shown_file(*request.files.output, "standard output") + ": " + content_text(outcome) +
           ", " + bytes_text(outcome.bytes_in) + " -> " + bytes_text(outcome.bytes_out) + speed_text(outcome.bytes_in, outcome.seconds) +
           '\n';
}

std::string json_of(const ConvertRequest& request, const ConvertOutcome& outcome)
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array().begin_object();
    json.key("inputs").begin_array();
    for (const auto& word : request.files.words) json.value(word);
    json.end_array().member("output", request.files.output->string()).key("channels").begin_array();
    for (const auto& channel : outcome.channels)
        json.begin_object().member("topic", channel.topic).member("type", channel.type_name).end_object();
    for (const auto& each : outcome.version_channels)
        json.begin_object().member("topic", each.topic).member("type", each.type_name).member("osi_version", each.version).member("split_from", each.of_topic).end_object();
    json.end_array().key("left_out_channels").begin_array();
    for (const auto& topic : outcome.loss.left_out_topics) json.value(topic);
    json.end_array()
        .member("frames", outcome.result.frames)
        .member("skipped", outcome.loss.skipped_frames)
        .member("skipped_bytes", outcome.loss.skipped_bytes);
    add_left_out(json, outcome.result);
    json.member("bytes_in", outcome.bytes_in)
        .member("bytes_out", outcome.bytes_out)
        .member("seconds", outcome.seconds.count());
    return json.end_object().end_array().end_object().text();
}

}  // namespace ositrace::app
