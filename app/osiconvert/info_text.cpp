// SPDX-License-Identifier: MPL-2.0
// The table for people.
#include <chrono>

#include "app/osiconvert/info.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// Gaps that are shown; --json has more.
constexpr std::size_t gaps_shown = 5;

class InfoTable {
public:
    void row(std::string_view label, const std::string& value, bool sampled = false)
    {
        constexpr std::size_t value_column = 15;
        std::string line = "  " + std::string(label);
        line.resize(value_column, ' ');
        text_ += line + printable(value) + (sampled ? "  (sampled)" : "") + '\n';
    }
    void heading(const std::string& line) { text_ += printable(line) + '\n'; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

std::string container_text(const TraceSummary& summary)
{
    std::string text(summary.info.container.name);
    if (summary.info.is_compressed()) text += ", compressed by " + summary.info.compression;
    if (!summary.info.chunk_compression.empty()) text += ", chunks " + summary.info.chunk_compression;
    if (summary.file_bytes) text += ", " + bytes_text(*summary.file_bytes);
    return text;
}

std::string format_of(const Channel& channel)
{
    if (!channel.root) return channel.message_encoding.empty() ? "no encoding stated" : channel.message_encoding;
    std::string text(row_of(channel.format.encoding).name);
    if (channel.format.encoding == Encoding::flatbuffers)
        text += ", layout " + std::string(name_of(channel.format.layout));
    return text;
}

/// The index of an MCAP file states only the length of the records, not of the messages.
void add_record_bytes(InfoTable& table, const TraceSummary& summary)
{
    std::uint64_t messages = 0;
    for (const auto& channel : summary.channels) messages += channel.frames;
    if (!summary.record_bytes || messages == 0) return;
    table.row("records", bytes_text(*summary.record_bytes) + " unpacked, schemas included: at most " +
                             bytes_text(*summary.record_bytes / messages) + " per message on average");
}

/// Messages of another type may have other data in this field.
bool is_plausible(const OsiVersion& version)
{
    constexpr std::uint32_t highest = 99;
    return version.major <= highest && version.minor <= highest && version.patch <= highest;
}

std::string versions_of(const ChannelSummary& channel)
{
    std::string text;
    for (const auto& version : channel.osi_versions)
        text +=
            (text.empty() ? "" : ", ") + version.to_string() + (is_plausible(version) ? "" : " (not an OSI version)");
    return text.empty() ? "not stated" : text;
}

std::string sizes_of(const ChannelSummary& channel)
{
    const auto& sizes = channel.sizes;
    if (sizes.smallest == sizes.largest) return bytes_text(sizes.largest) + " each";
    const auto range = bytes_text(sizes.smallest) + " to " + bytes_text(sizes.largest);
    return channel.sizes_sampled ? range : range + ", mean " + bytes_text(sizes.total / channel.frames);
}

std::string time_of(const ChannelSummary& channel)
{
    if (!channel.start || !channel.end)
        return channel.times_go_back ? "goes backward; --full prints the range" : "none";
    return rounded_seconds_text(*channel.start) + " to " + rounded_seconds_text(*channel.end) + " (" +
           rounded_seconds_text(*channel.end - *channel.start) + ")";
}

std::string rate_of(const ChannelSummary& channel)
{
    std::string text = channel.rate_hz ? decimal_text(*channel.rate_hz, 3) + " Hz" : "none (the time goes backward)";
    if (channel.step) text += ", step " + rounded_seconds_text(*channel.step);
    return text;
}

std::string gaps_of(const TimeSteps& steps)
{
    std::string text = steps.gaps == 0 ? "none" : std::to_string(steps.gaps) + ": ";
    for (std::size_t i = 0; i < steps.listed_gaps.size() && i < gaps_shown; ++i) {
        const auto& gap = steps.listed_gaps[i];
        text += (i == 0 ? "" : "; ") + rounded_seconds_text(gap.from) + " to " + rounded_seconds_text(gap.to) +
                " before frame " + std::to_string(gap.frame);
    }
    return steps.gaps > gaps_shown ? text + "; ..." : text;
}

void add_steps(InfoTable& table, const TimeSteps& steps)
{
    const auto shortest = rounded_seconds_text(steps.shortest);
    const auto longest = rounded_seconds_text(steps.longest);
    table.row("steps", shortest == longest ? "all " + shortest : shortest + " to " + longest);
    table.row("gaps", gaps_of(steps));
    if (steps.repeated != 0)
        table.row("repeated", count_text(steps.repeated, "frame") + " with the time of the frame before");
    if (steps.backward != 0)
        table.row("backward", count_text(steps.backward, "frame") + " with an earlier time than the frame before");
}

void add_channel(InfoTable& table, const ChannelSummary& summary)
{
    const bool sampled = summary.sampled;
    const auto& channel = summary.channel;
    table.row("messages",
              (channel.type_name.empty() ? "of no stated type" : channel.type_name) + ", " + format_of(channel));
    if (!channel.unviewable.empty()) table.row("not decoded", channel.unviewable);
    table.row("frames", std::to_string(summary.frames));
    if (summary.frames == 0) return;
    table.row("sizes", sizes_of(summary), summary.sizes_sampled);
    if (channel.root) table.row("OSI version", versions_of(summary), sampled);
    table.row(summary.log_times ? "log time" : "time",
              time_of(summary) + (summary.time_field.empty() ? "" : ", of " + summary.time_field), sampled);
    if (summary.rate_hz || (summary.times_go_back && summary.step)) table.row("rate", rate_of(summary), sampled);
    if (summary.steps && summary.step) add_steps(table, *summary.steps);
    if (summary.steps && summary.steps->frames_without_time != 0) {
        table.row("no time", count_text(summary.steps->frames_without_time, "frame"));
    }
    if (channel.root) table.row("static data", std::string(name_of(summary.static_data)), sampled);
    if (summary.omits_zeros) table.row("zeros", "the writer omits zeros", sampled);
    if (summary.unreadable_frames != 0) {
        table.row("unreadable",
                  count_text(summary.unreadable_frames, "frame") + ", first: " + summary.first_unreadable.value_or(""),
                  sampled);
    }
    if (summary.other_type_frames != 0)
        table.row("other type",
                  count_text(summary.other_type_frames, "frame") + ", first: " + summary.first_other_type.value_or(""),
                  sampled);
}

void add_records(InfoTable& table, const TraceInfo& info)
{
    for (const auto& record : info.metadata) {
        table.row("metadata", record.name);
        for (const auto& [key, value] : record.entries) table.row("", std::string(key).append(" = ").append(value));
    }
    for (const auto& attachment : info.attachments) {
        table.row("attachment", attachment.name + ", " +
                                    (attachment.media_type.empty() ? "no media type" : attachment.media_type) + ", " +
                                    bytes_text(attachment.bytes));
    }
    if (const auto records = info.application_records; records != 0)
        table.row("application", count_text(records, "record") + " that only " + (records == 1 ? "its" : "their") +
                                     " application understands");
}

std::string place_of(const MapDocument& document)
{
    switch (document.origin) {
    case MapOrigin::given: break;
    case MapOrigin::channel: return "channel " + document.name;
    case MapOrigin::attachment: return document.name + ", attached";
    case MapOrigin::reference: return document.file.string() + ", named by map_reference";
    case MapOrigin::stem: return document.name + ", beside it, of the same name";
    }
    return document.name;
}

void add_map(InfoTable& table, const FileReport& report)
{
    if (!report.map_error.empty()) table.row("map", report.map_error);
    if (!report.map) return;
    const auto& map = *report.map;
    table.row("map", place_of(map.document) + ", " + count_text(map.map.roads, "road") + ", " +
                         count_text(map.map.lanes, "lane") +
                         (map.objects == 0 || !map.fits()
                              ? ""
                              : ", fits (" + std::to_string(map.objects - map.far_objects) + " of " +
                                    count_text(map.objects, "moving object") + " within 10 m of a lane)"));
    for (const auto& note : map.notes) table.row("", note.reason());
}

}  // namespace

std::string text_of(const FileReport& report)
{
    InfoTable table;
    const auto& summary = *report.summary;
    table.heading(report.file == "-" ? "standard input" : report.file.string());
    table.row("container", container_text(summary));
    add_record_bytes(table, summary);
    for (const auto& channel : summary.channels) {
        if (summary.channels.size() > 1 || summary.info.container.several_channels)
            table.row("channel", channel.channel.topic);
        add_channel(table, channel);
    }
    add_records(table, summary.info);
    add_map(table, report);
    if (summary.damage) table.row("damage", *summary.damage);
    return table.text();
}

}  // namespace ositrace::app
