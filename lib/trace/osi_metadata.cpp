// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/osi_metadata.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include <ositrace/calendar_time.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_metadata.hpp>
#include <ositrace/utf8.hpp>

namespace ositrace {

namespace {

using namespace osi_metadata;

bool is_version_key(std::string_view key) { return std::ranges::find(version_keys, key) != version_keys.end(); }

}  // namespace

bool is_release(std::string_view text) noexcept { return release_in(text).has_value(); }

std::optional<OsiVersion> release_in(std::string_view text) noexcept
{
    OsiVersion version;
    const auto* at = text.data();
    const auto* const end = at + text.size();
    for (auto* part : {&version.major, &version.minor, &version.patch}) {
        if (part != &version.major) {
            if (at == end || *at != '.') return std::nullopt;
            ++at;
        }
        const auto [after, error] = std::from_chars(at, end, *part);
        if (error != std::errc{}) return std::nullopt;
        at = after;
    }
    return at == end ? std::optional(version) : std::nullopt;
}

std::optional<std::string> trace_entry(const MetadataRecord& record, std::string_view key)
{
    const auto found = record.entries.find(std::string(key));
    if (record.name != trace_record || found == record.entries.end()) return std::nullopt;
    return found->second;
}

std::optional<std::string> trace_entry(const TraceInfo& info, std::string_view key)
{
    for (const auto& record : info.metadata)
        if (auto value = trace_entry(record, key)) return value;
    return std::nullopt;
}

bool states_versions_only(const MetadataRecord& record)
{
    const auto is_version = [](const auto& entry) { return is_version_key(entry.first); };
    return record.name == trace_record && std::ranges::all_of(record.entries, is_version);
}

void check_trace_entry(std::string_view key, std::string_view value)
{
    const auto entry = std::string(key) + '=' + std::string(value);
    if (!is_utf8(entry)) throw Error(Cause::usage, entry + ": is not UTF-8, which MCAP requires");
    if (is_version_key(key)) throw Error(Cause::usage, entry + ": the writer states the versions of the data itself");
    if (key.starts_with(reserved_prefix))
        throw Error(
            Cause::usage,
            entry +
                ": names that begin with net.asam.osi are reserved for the OSI standard, which defines no such key");
    if ((key == zero_time_key || key == creation_time_key) && !is_date_time_stamp(value))
        throw Error(Cause::usage,
                    entry + ": expected a time with its zone, " + std::string(key) + "=2021-08-18T15:05:42Z");
    if ((key == description_key || key == authors_key || key == data_sources_key) && value.empty())
        throw Error(Cause::usage, entry + ": expected a text");
}

}  // namespace ositrace
