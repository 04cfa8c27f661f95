// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/rename.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <utility>

#include <ositrace/calendar_time.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/trace_metadata.hpp>

#include "lib/system/file.hpp"
#include "lib/trace/ground_truths.hpp"
#include "lib/trace/osi_metadata.hpp"

namespace ositrace {

namespace {

using osi_metadata::canonical_protobuf_version;

constexpr std::array<std::string_view, 4> source_names{"metadata", "old_name", "file_time", "assumed"};

std::string entry(const std::map<std::string, std::string>& entries, std::string_view key)
{
    const auto found = entries.find(std::string(key));
    return found == entries.end() ? std::string() : found->second;
}

std::string of_trace(const TraceInfo& info, std::string_view key)
{
    return trace_entry(info, key).value_or(std::string());
}

std::string timestamp_of_file(const std::filesystem::path& file)
{
    std::error_code absent;
    const auto time = std::filesystem::last_write_time(file, absent);
    if (absent) return {};
    return trace_timestamp(std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(time)));
}

std::string timestamp_of_metadata(const TraceInfo& info)
{
    for (const auto key : {osi_metadata::creation_time_key, osi_metadata::zero_time_key}) {
        if (const auto time = parse_calendar_time(of_trace(info, key)))
            return trace_timestamp(std::chrono::sys_seconds(std::chrono::floor<std::chrono::seconds>(*time)));
    }
    return {};
}

std::string first_of(std::initializer_list<std::string> texts)
{
    const auto found = std::ranges::find_if(texts, [](const std::string& text) { return !text.empty(); });
    return found == texts.end() ? std::string() : *found;
}

/// Sets `to` to the first non-empty text and returns its source.
NameSource set_to_first(std::string& to, std::initializer_list<std::pair<NameSource, std::string>> parts)
{
    for (const auto& [source, text] : parts) {
        to = text;
        if (!text.empty()) return source;
    }
    return NameSource::assumed;
}

std::string highest_version(const TraceSummary& trace)
{
    std::optional<OsiVersion> highest;
    for (const auto& channel : trace.channels) {
        if (!channel.channel.type || channel.frames == 0) continue;
        const auto version = channel.osi_versions.empty()
                                 ? release_in(entry(channel.channel.metadata, osi_metadata::channel_osi_version_key))
                                 : std::optional(channel.osi_versions.back());
        if (version && (!highest || *version > *highest)) highest = version;
    }
    return highest ? version_digits(highest->to_string()) : std::string();
}

std::string lowest_protobuf_version(const TraceSummary& trace)
{
    std::string lowest;
    for (const auto& channel : trace.channels) {
        const auto version = entry(channel.channel.metadata, osi_metadata::channel_protobuf_version_key);
        if (channel.channel.type && release_in(version) && (lowest.empty() || release_in(version) < release_in(lowest)))
            lowest = version;
    }
    return lowest;
}

std::string schema_version(const Channel& channel)
{
    const auto version = channel.schema ? channel.schema->osi_version() : std::nullopt;
    return version ? version_digits(version->to_string()) : std::string();
}

[[noreturn]] void refuse(const TraceSummary& trace, std::string_view why)
{
    throw Error(Cause::mismatch, {.file = trace.info.file, .frame = {}, .offset = {}, .field = {}}, why);
}

void add(std::vector<OsiVersion>& ascending, const std::optional<OsiVersion>& version)
{
    if (!version) return;
    const auto place = std::ranges::lower_bound(ascending, *version);
    if (place == ascending.end() || *place != *version) ascending.insert(place, *version);
}

/// The versions of the message and of the ground truth in it.
void add_versions(std::vector<OsiVersion>& ascending, Bytes payload, const Channel& channel)
try {
    add(ascending, osi_version_of(payload, channel));
    for_each_ground_truth({payload, *channel.root, channel.format},
                          [&](const MessageView& truth) { add(ascending, osi_version_of(truth)); });
} catch (const Error&) {
    // A damaged frame does not contribute to the name.
}

}  // namespace

std::string_view name_of(NameSource source) noexcept { return source_names[static_cast<std::size_t>(source)]; }

NameByContent name_by_content(const TraceSummary& trace, const std::filesystem::path& file)
{
    const auto refuse_damaged = [&](const std::string& why) {
        refuse(trace, "is damaged (" + why + "). Use 'osiconvert recover' first.");
    };
    if (trace.damage) refuse_damaged(*trace.damage);
    for (const auto& channel : trace.channels)
        if (channel.unreadable_frames != 0) refuse_damaged(channel.first_unreadable.value_or("unreadable frames"));
    const auto file_name = file.filename().string();
    const auto old = parse_trace_name(file_name);
    const ChannelSummary* first = nullptr;
    NameByContent name;
    bool several_types = false;
    for (const auto& channel : trace.channels) {
        if (!channel.channel.type) continue;
        if (first != nullptr && first->channel.type != channel.channel.type) several_types = true;
        if (first == nullptr) first = &channel;
        name.frames = std::max(name.frames.value_or(0), channel.frames);
    }
    if (first == nullptr) refuse(trace, "has no OSI channel, so the standard defines no name for it");
    if (!several_types) name.type = first->channel.type;
    name.timestamp_from = set_to_first(name.timestamp, {{NameSource::metadata, timestamp_of_metadata(trace.info)},
                                                        {NameSource::old_name, old ? old->timestamp : std::string()},
                                                        {NameSource::file_time, timestamp_of_file(file)}});
    const auto old_osi = old ? old->osi_version : std::string();
    name.osi_version = several_types ? version_digits(of_trace(trace.info, osi_metadata::version_key)) : std::string();
    name.osi_version = first_of({name.osi_version, highest_version(trace), old_osi, schema_version(first->channel)});
    const auto protobuf =
        first_of({of_trace(trace.info, osi_metadata::min_protobuf_version_key), lowest_protobuf_version(trace)});
    const auto old_protobuf = old ? old->protobuf_version : std::string();
    const auto of_content = is_protobuf_version(old_protobuf, protobuf) ? old_protobuf : version_digits(protobuf);
    name.protobuf_version_from =
        set_to_first(name.protobuf_version, {{NameSource::metadata, of_content},
                                             {NameSource::old_name, old_protobuf},
                                             {NameSource::assumed, version_digits(canonical_protobuf_version)}});
    const auto extension = trace_extension(file_name);
    name.extension = extension ? extension->text : std::string();
    name.custom = old ? old->custom : file_name.substr(0, file_name.size() - name.extension.size());
    return name;
}

bool NamingSource::read(Frame& frame, std::stop_token stop)
{
    if (!from_.read(frame, std::move(stop))) return false;
    const auto& channels = from_.info().channels;
    for (auto i = seen_.size(); i < channels.size(); ++i) seen_.push_back({.channel = channels[i]});
    auto& seen = seen_.at(frame.channel);
    ++seen.frames;
    if (seen.channel.type && seen.channel.root != nullptr) add_versions(seen.osi_versions, frame.bytes, seen.channel);
    return true;
}

TraceSummary NamingSource::summary() const
{
    TraceSummary summary;
    summary.info = from_.info();
    for (auto& record : summary.info.metadata)  // the output has the lowest version of its own channels
        if (record.name == osi_metadata::trace_record)
            record.entries.erase(std::string(osi_metadata::min_protobuf_version_key));
    summary.channels = seen_;
    for (auto i = seen_.size(); i < summary.info.channels.size(); ++i)
        summary.channels.push_back({.channel = summary.info.channels[i]});
    return summary;
}

void rename_trace(const std::filesystem::path& from, const std::filesystem::path& to)
{
    const auto failed = rename_to_new(from, to);
    if (failed == std::errc::file_exists)
        throw Error(Cause::exists, {.file = to}, "exists; rename does not overwrite files");
    if (failed) throw Error(Cause::io, {.file = from}, failed.message());
}

}  // namespace ositrace
