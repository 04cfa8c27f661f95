// SPDX-License-Identifier: MPL-2.0
#include "lib/check/mcap_metadata_check.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <ositrace/trace_metadata.hpp>

#include "lib/mcap/osi_names.hpp"
#include "lib/mcap/release_text.hpp"

namespace ositrace {

namespace {

using namespace mcap::osi;

constexpr std::array mandatory{version_key, min_osi_version_key, max_osi_version_key, min_protobuf_version_key,
                               max_protobuf_version_key};
constexpr std::array times{zero_time_key, creation_time_key};
constexpr std::array recommended{zero_time_key, creation_time_key, description_key, authors_key, data_sources_key};

const MetadataRecord* trace_record_of(const TraceInfo& info)
{
    const auto found = std::ranges::find(info.metadata, trace_record, &MetadataRecord::name);
    return found == info.metadata.end() ? nullptr : &*found;
}

/// A range that the metadata gives; versions of another form are findings already.
struct Range {
    std::optional<OsiVersion> low, high;

    Range(const MetadataRecord& record, std::string_view low_key, std::string_view high_key)
        : low(value_of(record, low_key)), high(value_of(record, high_key))
    {
    }
    [[nodiscard]] bool spans(const OsiVersion& version) const
    {
        return (!low || *low <= version) && (!high || version <= *high);
    }
    [[nodiscard]] std::string text() const
    {
        return (low ? low->to_string() : std::string("?")) + " to " + (high ? high->to_string() : std::string("?"));
    }

private:
    static std::optional<OsiVersion> value_of(const MetadataRecord& record, std::string_view key)
    {
        const auto found = record.entries.find(std::string(key));
        return found == record.entries.end() ? std::nullopt : release_in(found->second);
    }
};

void check_channels(const TraceInfo& info, std::string_view key, const Range& range, Kind kind, Findings& findings)
{
    for (const auto& channel : info.channels) {
        const auto found = channel.metadata.find(std::string(key));
        const auto version = found == channel.metadata.end() ? std::nullopt : release_in(found->second);
        if (version && !range.spans(*version))
            findings.add(kind, {{}, {}, {}, channel.topic},
                         [&] { return "the channel has " + version->to_string() + ", the range is " + range.text(); });
    }
}

}  // namespace

void check_trace_metadata(const mcap::Metadata& record, std::uint64_t offset, Findings& findings)
{
    std::map<std::string_view, std::string_view> entries;
    for (const auto& [key, value] : record.entries) entries.insert_or_assign(key, value);  // as every reader here
    const FindingPlace place{std::nullopt, std::nullopt, offset, {}};
    const auto add = [&](Kind kind, std::string_view key, const std::string& message) {
        findings.add(kind, place, [&] { return message; }, [&] { return std::string(key); });
    };
    for (const auto key : mandatory) {
        const auto found = entries.find(key);
        if (found == entries.end())
            add(Kind::mcap_metadata_key, key, "is missing");
        else if (!is_release(found->second))
            add(Kind::mcap_metadata_version, key,
                "found '" + std::string(found->second) + "', expected major.minor.patch");
    }
    for (const auto key : times) {
        const auto found = entries.find(key);
        if (found != entries.end() && !is_date_time_stamp(found->second))
            add(Kind::mcap_metadata_time, key,
                "found '" + std::string(found->second) + "', expected a time with its zone, 2021-08-18T15:05:42Z");
    }
    for (const auto key : recommended)
        if (!entries.contains(key)) add(Kind::mcap_metadata_recommended, key, "is missing");
    for (const auto& [key, value] : entries)
        if (key.starts_with("net.asam.osi")) add(Kind::mcap_reserved_name, key, "the standard knows no such key");
}

void check_version_ranges(const TraceInfo& info, const std::set<OsiVersion>& osi_versions, Findings& findings)
{
    const auto* const record = trace_record_of(info);
    if (record == nullptr) return;
    const Range osi(*record, min_osi_version_key, max_osi_version_key);
    const Range protobuf(*record, min_protobuf_version_key, max_protobuf_version_key);
    for (const auto& version : osi_versions)
        if (!osi.spans(version))
            findings.add(Kind::mcap_osi_range, {},
                         [&] { return "messages have " + version.to_string() + ", the range is " + osi.text(); });
    check_channels(info, channel_osi_version_key, osi, Kind::mcap_osi_range, findings);
    check_channels(info, channel_protobuf_version_key, protobuf, Kind::mcap_protobuf_range, findings);
}

}  // namespace ositrace
