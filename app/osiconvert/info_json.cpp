// SPDX-License-Identifier: MPL-2.0
#include <map>
#include <string>

#include "app/osiconvert/info.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"

namespace ositrace::app {
namespace {

void add_time(JsonWriter& json, std::string_view name, const std::optional<Nanoseconds>& time)
{
    json.key(name);
    time ? json.nanoseconds(time->count()) : json.null();
}

void add_versions(JsonWriter& json, const std::vector<OsiVersion>& versions)
{
    json.key("osi_versions").begin_array();
    for (const auto& version : versions) json.value(version.to_string());
    json.end_array();
}

void add_sizes(JsonWriter& json, const ChannelSummary& summary)
{
    const auto& sizes = summary.sizes;
    json.key("frame_bytes").begin_object();
    json.member("smallest", sizes.smallest).member("largest", sizes.largest);
    json.member("total", summary.sizes_sampled ? std::nullopt : std::optional(sizes.total));
    if (summary.sizes_sampled) json.member("sampled", true);
    json.end_object();
}

void add_pairs(JsonWriter& json, std::string_view name, const std::map<std::string, std::string>& pairs)
{
    json.key(name).begin_object();
    for (const auto& [key, value] : pairs) json.member(key, std::string_view(value));
    json.end_object();
}

/// Data of MCAP files.
void add_records(JsonWriter& json, const TraceInfo& info)
{
    if (!info.container.metadata) return;
    json.member("profile", std::string_view(info.profile))
        .member("library", std::string_view(info.library))
        .member("chunk_compression", std::string_view(info.chunk_compression))
        .key("metadata")
        .begin_array();
    for (const auto& record : info.metadata) {
        json.begin_object().member("name", std::string_view(record.name));
        add_pairs(json, "entries", record.entries);
        json.end_object();
    }
    json.end_array().key("attachments").begin_array();
    for (const auto& attachment : info.attachments) {
        json.begin_object()
            .member("name", std::string_view(attachment.name))
            .member("media_type", std::string_view(attachment.media_type));
        json.member("bytes", attachment.bytes);
        add_time(json, "log_time", attachment.log_time);
        add_time(json, "create_time", attachment.create_time);
        json.end_object();
    }
    json.end_array().member("application_records", info.application_records);
}

void add_steps(JsonWriter& json, const TimeSteps& steps)
{
    json.key("steps").begin_object().member("gaps", steps.gaps).key("listed_gaps").begin_array();
    for (const auto& gap : steps.listed_gaps) {
        json.begin_object().member("frame", gap.frame);
        add_time(json, "from", gap.from);
        add_time(json, "to", gap.to);
        json.end_object();
    }
    json.end_array()
        .member("repeated", steps.repeated)
        .member("backward", steps.backward)
        .member("frames_without_time", steps.frames_without_time);
    add_time(json, "shortest", steps.shortest);
    add_time(json, "longest", steps.longest);
    json.end_object();
}

std::optional<std::string_view> layout_of(const Channel& channel)
{
    if (!channel.root || channel.format.encoding == Encoding::protobuf) return std::nullopt;
    return name_of(channel.format.layout);
}

void add_channel(JsonWriter& json, const ChannelSummary& summary)
{
    const auto& channel = summary.channel;
    json.begin_object()
        .member("topic", channel.topic)
        .member("type", channel.type_name)
        .member("encoding", encoding_name(channel))
        .member("layout", layout_of(channel))
        .member("frames", summary.frames);
    add_sizes(json, summary);
    json.member("sampled", summary.sampled);
    add_versions(json, summary.osi_versions);
    json.member("times_go_back", summary.times_go_back);
    json.member("time_field", summary.time_field.empty() ? std::nullopt : std::optional(summary.time_field))
        .member("log_times", summary.log_times);
    add_time(json, "start", summary.start);
    add_time(json, "end", summary.end);
    add_time(json, "step", summary.step);
    json.member("rate_hz", summary.rate_hz);
    if (summary.steps) add_steps(json, *summary.steps);
    json.member("static_data", name_of(summary.static_data))
        .member("omits_zeros", summary.omits_zeros)
        .member("unreadable_frames", summary.unreadable_frames)
        .member("first_unreadable", summary.first_unreadable)
        .member("other_type_frames", summary.other_type_frames)
        .member("first_other_type", summary.first_other_type);
    if (!channel.root) json.member("unviewable", std::string_view(channel.unviewable));
    if (!channel.metadata.empty()) add_pairs(json, "metadata", channel.metadata);
    json.end_object();
}

std::string_view name_of(MapOrigin origin)
{
    switch (origin) {
    case MapOrigin::given: return "given";
    case MapOrigin::channel: return "channel";
    case MapOrigin::attachment: return "attachment";
    case MapOrigin::reference: return "map_reference";
    case MapOrigin::stem: return "name";
    }
    return {};
}

void add_map(JsonWriter& json, const FileReport& report)
{
    if (!report.map_error.empty()) json.member("map_error", report.map_error);
    if (!report.map) return;
    const auto& map = *report.map;
    json.key("map")
        .begin_object()
        .member("name", map.document.name)
        .member("found_by", name_of(map.document.origin))
        .member("roads", std::uint64_t{map.map.roads})
        .member("lanes", std::uint64_t{map.map.lanes})
        .member("fits", map.fits())
        .member("objects", std::uint64_t{map.objects})
        .member("far_objects", std::uint64_t{map.far_objects})
        .key("notes")
        .begin_array();
    for (const auto& note : map.notes) json.value(note.what());
    json.end_array().end_object();
}

void add_report(JsonWriter& json, const FileReport& report)
{
    const bool known = report.summary.has_value();
    json.begin_object()
        .member("path", report.file.string())
        .member("container", known ? std::optional(report.summary->info.container.name) : std::nullopt)
        .member("compression", known ? std::optional(report.summary->info.compression) : std::nullopt)
        .member("bytes", known ? report.summary->file_bytes : std::nullopt)
        .member("record_bytes", known ? report.summary->record_bytes : std::nullopt)
        .member("error", known ? std::nullopt : std::optional(report.error))
        .member("damage", known ? report.summary->damage : std::nullopt)
        .key("channels")
        .begin_array();
    if (known) {
        for (const auto& channel : report.summary->channels) add_channel(json, channel);
    }
    json.end_array();
    if (known) add_records(json, report.summary->info);
    add_map(json, report);
    json.end_object();
}

}  // namespace

void print_json(const std::vector<FileReport>& reports)
{
    JsonWriter json(print);
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& report : reports) add_report(json, report);
    json.end_array().end_object().print_end();
}

}  // namespace ositrace::app
