// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/loss.hpp"

#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {

void Loss::add(const SkippedBytes& skipped, Messages& messages)
{
    constexpr std::uint64_t places_told = 10;
    ++skipped_frames;
    skipped_bytes += skipped.bytes;
    std::string line = skipped.error.what();
    if (skipped.bytes != 0) line += " (" + std::to_string(skipped.bytes) + " bytes skipped)";
    skipped_frames <= places_told ? messages.warning(line) : messages.detail(line);
}

std::string Loss::text(const ConvertResult& result) const
{
    std::vector<std::string> parts;
    if (skipped_frames != 0)
        parts.push_back((skipped_bytes == 0 ? "nothing" : count_text(skipped_bytes, "byte")) + " at " +
                        count_text(skipped_frames, "damaged place"));
    if (result.dropped_unknown_fields != 0)
        parts.push_back(count_text(result.dropped_unknown_fields, "field") + " unknown to the schema");
    if (!left_out_topics.empty()) {
        auto text = count_text(left_out_topics.size(), "channel") + " (";
        for (std::size_t i = 0; i != left_out_topics.size(); ++i) text += (i == 0 ? "" : ", ") + left_out_topics[i];
        parts.push_back(text + ")");
    }
    if (result.left_out_metadata != 0) parts.push_back(count_text(result.left_out_metadata, "metadata record"));
    if (result.left_out_attachments != 0) parts.push_back(count_text(result.left_out_attachments, "attachment"));
    if (const auto keys = result.left_out_channel_metadata; keys != 0)
        parts.push_back(count_text(keys, "metadata key") + (keys == 1 ? " of a channel" : " of channels"));
    if (result.left_out_application_records != 0)
        parts.push_back(count_text(result.left_out_application_records, "record") + " of an application");
    if (result.replaced_texts != 0)
        parts.push_back("bytes that are not UTF-8 in " + count_text(result.replaced_texts, "string") +
                        " (topics, names, metadata; U+FFFD replaces them)");
    std::string text;
    for (std::size_t i = 0; i != parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

bool tell_left_out(const std::filesystem::path& output, const Loss& loss, const ConvertResult& result,
                   Messages& messages)
{
    const auto name = shown_file(output, "standard output");
    const auto text = loss.text(result);
    if (!text.empty()) messages.error(name + ": left out: " + text);
    if (result.other_times != 0)
        messages.warning(
            name + ": keeps OSI times only, and " + count_text(result.other_times, "message") +
            (result.other_times == 1 ? " has another log or publish time" : " have other log or publish times"));
    if (result.replaced_publish_times != 0)
        messages.warning(name + ": the OSI time of " + count_text(result.replaced_publish_times, "message") +
                         " took the place of another publish time, as OSI-MCAP wants it");
    if (result.other_type)
        messages.warning(std::string(result.other_type->what()) +
                         "; others may be, too: 'osiconvert check' lists them");
    return !text.empty();
}

void add_left_out(JsonWriter& json, const ConvertResult& result)
{
    json.member("dropped_unknown_fields", result.dropped_unknown_fields)
        .member("left_out_metadata", result.left_out_metadata)
        .member("left_out_attachments", result.left_out_attachments)
        .member("left_out_channel_metadata", result.left_out_channel_metadata)
        .member("left_out_application_records", result.left_out_application_records)
        .member("other_times", result.other_times)
        .member("replaced_publish_times", result.replaced_publish_times)
        .member("replaced_texts", result.replaced_texts)
        .member("other_type", result.other_type ? std::optional<std::string>(result.other_type->what()) : std::nullopt);
}

std::set<std::string> zero_times_of(const std::vector<MetadataRecord>& metadata)
{
    std::set<std::string> times;
    for (const auto& record : metadata)
        if (const auto found = record.entries.find("zero_time");
            record.name == "net.asam.osi.trace" && found != record.entries.end())
            times.insert(found->second);
    return times;
}

void tell_zero_times(const std::set<std::string>& times, const std::string& advice, Messages& messages)
{
    if (times.size() < 2) return;
    std::string list;
    for (const auto& time : times) list += (list.empty() ? "" : ", ") + time;
    messages.warning("the inputs count from different zero times (" + list + "); the first input's is kept" + advice);
}

}  // namespace ositrace::app
