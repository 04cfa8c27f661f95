// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/loss.hpp"

#include <ositrace/trace_metadata.hpp>

#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {

namespace {

/// What damage cost: `up to 3 frames (392 bytes)`; 0 frames: their number is unknown.
std::string lost_text(std::uint64_t frames, std::uint64_t bytes)
{
    if (frames == 0) return count_text(bytes, "byte");
    return (frames == 1 ? "" : "up to ") + count_text(frames, "frame") +
           (bytes == 0 ? "" : " (" + count_text(bytes, "byte") + ")");
}

}  // namespace

void Loss::add(const SkippedBytes& skipped, Messages& messages)
{
    constexpr std::uint64_t places_listed = 10;
    ++skipped_frames;
    skipped_bytes += skipped.bytes;
    lost_frames.add(skipped);
    kept_unproven += skipped.kept;
    std::string line = skipped.error.what();
    if (skipped.bytes != 0) line += " (" + count_text(skipped.bytes, "byte") + " skipped)";
    if (skipped.kept != 0)
        line += "; " + count_text(skipped.kept, "frame") + " of it recovered (content complete, no checksum)";
    skipped_frames <= places_listed ? messages.warning(line) : messages.detail(line);
}

std::string Loss::text(const ConvertResult& result) const
{
    std::vector<std::string> parts;
    std::string text;
    const auto places = count_text(skipped_frames, "damaged place");
    const auto frames = lost_frames.count().value_or(0);
    if (frames != 0 || skipped_bytes != 0)
        parts.push_back(lost_text(frames, skipped_bytes) + " at " + places);
    else if (!lost_frames.count())
        parts.push_back("an unknown number of frames at " + places);
    else if (skipped_frames != 0)
        text = places + " without a lost frame";
    if (result.dropped_unknown_fields != 0)
        parts.push_back(count_text(result.dropped_unknown_fields, "field") + " unknown to the schema");
    if (!left_out_topics.empty()) {
        auto channels = count_text(left_out_topics.size(), "channel") + " (";
        for (std::size_t i = 0; i != left_out_topics.size(); ++i) channels += (i == 0 ? "" : ", ") + left_out_topics[i];
        parts.push_back(channels + ")");
    }
    if (result.lost_times != 0)
        parts.push_back("the times of " + count_text(result.lost_times, "message") + " without an OSI time");
    if (result.left_out_metadata != 0) parts.push_back(count_text(result.left_out_metadata, "metadata record"));
    if (result.left_out_attachments != 0) parts.push_back(count_text(result.left_out_attachments, "attachment"));
    if (const auto keys = result.left_out_channel_metadata; keys != 0)
        parts.push_back(count_text(keys, "metadata key") + (keys == 1 ? " of a channel" : " of channels"));
    if (result.left_out_application_records != 0)
        parts.push_back(count_text(result.left_out_application_records, "record") + " of an application");
    if (result.replaced_texts != 0)
        parts.push_back("bytes that are not UTF-8 in " + count_text(result.replaced_texts, "string") +
                        " (topics, names, metadata; replaced by U+FFFD)");
    if (kept_unproven != 0)
        text += (text.empty() ? "" : "; ") + count_text(kept_unproven, "frame") + " not confirmed by a checksum";
    if (!text.empty() && !parts.empty()) text += "; ";
    for (std::size_t i = 0; i != parts.size(); ++i)
        text += (i == 0 ? "dropped: " : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

bool report_loss(const std::filesystem::path& output, const Loss& loss, const ConvertResult& result, Messages& messages)
{
    const auto name = shown_file(output, "standard output");
    const auto text = loss.text(result);
    if (!text.empty()) messages.error(name + ": " + text);
    if (result.other_times != 0)
        messages.warning(
            name + ": keeps only OSI times, but " + count_text(result.other_times, "message") +
            (result.other_times == 1 ? " has another log or publish time" : " have other log or publish times"));
    if (result.replaced_publish_times != 0)
        messages.warning(name + ": replaced the publish time of " +
                         count_text(result.replaced_publish_times, "message") +
                         " by the OSI time, as OSI-MCAP requires");
    if (result.other_type)
        messages.warning(std::string(result.other_type->what()) + "; 'osiconvert check' lists all such messages");
    return !text.empty();
}

void add_left_out(JsonWriter& json, const ConvertResult& result)
{
    json.member("dropped_unknown_fields", result.dropped_unknown_fields)
        .member("left_out_metadata", result.left_out_metadata)
        .member("left_out_attachments", result.left_out_attachments)
        .member("left_out_channel_metadata", result.left_out_channel_metadata)
        .member("left_out_application_records", result.left_out_application_records)
        .member("lost_times", result.lost_times)
        .member("other_times", result.other_times)
        .member("replaced_publish_times", result.replaced_publish_times)
        .member("replaced_texts", result.replaced_texts)
        .member("other_type", result.other_type ? std::optional<std::string>(result.other_type->what()) : std::nullopt);
}

std::set<std::string> zero_times_of(const std::vector<MetadataRecord>& metadata)
{
    std::set<std::string> times;
    for (const auto& record : metadata)
        if (const auto zero_time = trace_entry(record, osi_metadata::zero_time_key)) times.insert(*zero_time);
    return times;
}

void report_zero_times(const std::set<std::string>& times, const std::string& advice, Messages& messages)
{
    if (times.size() < 2) return;
    std::string list;
    for (const auto& time : times) list += (list.empty() ? "" : ", ") + time;
    messages.warning("the inputs have different zero times (" + list + "); that of the first input is kept." + advice);
}

bool report_output(const TraceWriter& out, const std::filesystem::path& file, Messages& messages, bool order_counts)
{
    const auto name = shown_file(file, "standard output");
    for (const auto& topic : out.assumed_versions())
        messages.warning(std::string(name)
                             .append(": the messages of '")
                             .append(topic)
                             .append("' state no OSI version: the channel gets that of the schema"));
    for (const auto& each : out.replaced_versions())
        messages.warning(
            name + ": the channel '" + each.topic + "' stated " + each.key + " = '" + each.stated +
            "', which is not major.minor.patch: " +
            (each.written.empty() ? "it is dropped" : "it is replaced by that of the data, " + each.written));
    for (const auto& each : out.version_channels())
        messages.warning(name + ": '" + each.of_topic + "' has messages of OSI " + each.of_version + " and " +
                         each.version + ", but a channel has one version: the latter are written as channel '" +
                         each.topic + "'");
    if (const auto messages_without = out.untimed_messages(); messages_without != 0)
        messages.warning(name + ": " + count_text(messages_without, "message") +
                         (messages_without == 1 ? " has" : " have") + " no timestamp and " +
                         (messages_without == 1 ? "gets" : "get") + " the time of the message before, or 0 s");
    const auto other_order = out.backward_times();
    for (const auto& topic : other_order) {
        const auto line = std::string(name)
                              .append(": the times of '")
                              .append(topic)
                              .append(
                                  "' go backward, but an MCAP file is read in the order of its times: its frames will "
                                  "have another order");
        order_counts ? messages.error(line) : messages.warning(line);
    }
    return order_counts && !other_order.empty();
}

std::function<void(const Error&)> warn_of_damage_after(Messages& messages)
{
    return [&messages](const Error& damage) {
        messages.warning(std::string(damage.what()) + "; data after that was not read");
    };
}

}  // namespace ositrace::app
