// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit_rename.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <ositrace/calendar_time.hpp>
#include <ositrace/error.hpp>

#include "lib/mcap/osi_names.hpp"
#include "lib/mcap/release_text.hpp"

namespace ositrace {

namespace {

using mcap::osi::canonical_protobuf_version;

constexpr std::array<std::string_view, 4> source_names{"metadata", "old_name", "file_time", "assumed"};

std::string entry(const std::map<std::string, std::string>& entries, std::string_view key)
{
    const auto found = entries.find(std::string(key));
    return found == entries.end() ? std::string() : found->second;
}

std::string of_trace(const TraceInfo& info, std::string_view key)
{
    for (const auto& record : info.metadata)
        if (record.name == mcap::osi::trace_record) return entry(record.entries, key);
    return {};
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
    for (const auto* key : {"creation_time", "zero_time"}) {
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

/// The first that has a text.
NameSource take_first(std::string& to, std::initializer_list<std::pair<NameSource, std::string>> parts)
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
    for (const auto& channel : trace.channels)
        if (!channel.osi_versions.empty() && (!highest || channel.osi_versions.back() > *highest))
            highest = channel.osi_versions.back();
    return highest ? version_digits(highest->to_string()) : std::string();
}

std::string lowest_protobuf_version(const TraceSummary& trace)
{
    std::string lowest;
    for (const auto& channel : trace.channels) {
        const auto version = entry(channel.channel.metadata, mcap::osi::channel_protobuf_version_key);
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

}  // namespace

std::string_view name_of(NameSource source) noexcept { return source_names[static_cast<std::size_t>(source)]; }

NameByContent name_by_content(const TraceSummary& trace, const std::filesystem::path& file)
{
    if (trace.damage) refuse(trace, "is damaged (" + *trace.damage + "): recover it before it is named");
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
    if (first == nullptr) refuse(trace, "has no OSI channel, so the standard has no name for it");
    if (!several_types) name.type = first->channel.type;
    name.timestamp_from = take_first(name.timestamp, {{NameSource::metadata, timestamp_of_metadata(trace.info)},
                                                      {NameSource::old_name, old ? old->timestamp : std::string()},
                                                      {NameSource::file_time, timestamp_of_file(file)}});
    const auto old_osi = old ? old->osi_version : std::string();
    name.osi_version = several_types ? version_digits(of_trace(trace.info, mcap::osi::version_key)) : std::string();
    name.osi_version = first_of({name.osi_version, highest_version(trace), old_osi, schema_version(first->channel)});
    const auto protobuf =
        first_of({of_trace(trace.info, mcap::osi::min_protobuf_version_key), lowest_protobuf_version(trace)});
    const auto old_protobuf = old ? old->protobuf_version : std::string();
    const auto of_content = is_protobuf_version(old_protobuf, protobuf) ? old_protobuf : version_digits(protobuf);
    name.protobuf_version_from =
        take_first(name.protobuf_version, {{NameSource::metadata, of_content},
                                           {NameSource::old_name, old_protobuf},
                                           {NameSource::assumed, version_digits(canonical_protobuf_version)}});
    const auto extension = trace_extension(file_name);
    name.extension = extension ? std::string(extension->text) : std::string();
    name.custom = old ? old->custom : file_name.substr(0, file_name.size() - name.extension.size());
    return name;
}

void rename_trace(const std::filesystem::path& from, const std::filesystem::path& to)
{
    // link() fails where the name is taken, at whatever moment it was taken; rename() would replace.
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return;
    }
    if (errno == EEXIST)
        throw Error(Cause::exists, {.file = to, .frame = {}, .offset = {}, .field = {}},
                    "exists already; nothing is renamed over it");
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        throw Error(Cause::io, {.file = from, .frame = {}, .offset = {}, .field = {}},
                    std::generic_category().message(errno));
    std::error_code failed;  // a file system without links
    if (std::filesystem::exists(to, failed))
        throw Error(Cause::exists, {.file = to, .frame = {}, .offset = {}, .field = {}},
                    "exists already; nothing is renamed over it");
    std::filesystem::rename(from, to, failed);
    if (failed) throw Error(Cause::io, {.file = from, .frame = {}, .offset = {}, .field = {}}, failed.message());
}

}  // namespace ositrace
