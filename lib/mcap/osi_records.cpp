// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/osi_records.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "lib/trace/ground_truths.hpp"
#include "lib/trace/osi_metadata.hpp"

namespace ositrace::mcap {

namespace {

constexpr std::array list_keys{osi_metadata::authors_key, osi_metadata::data_sources_key};

bool is_smaller(std::string_view a, std::string_view b) { return release_in(a) < release_in(b); }

/// `a, b` and `b, c` give `a, b, c`.
void join_lists(std::string& list, std::string_view other)
{
    const auto without_spaces = [](std::string_view text) {
        const auto begin = std::min(text.find_first_not_of(' '), text.size());
        return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
    };
    const auto parts = [&](std::string_view text) {
        std::vector<std::string_view> found;
        for (std::size_t end = 0; end != std::string_view::npos;
             text.remove_prefix(end == std::string_view::npos ? 0 : end + 1)) {
            end = text.find(',');
            if (const auto part = without_spaces(text.substr(0, end)); !part.empty()) found.push_back(part);
        }
        return found;
    };
    const std::string before = list;
    const auto known = parts(before);
    for (const auto part : parts(other))
        if (std::ranges::find(known, part) == known.end()) list.append(list.empty() ? "" : ", ").append(part);
}

}  // namespace

ChannelMetadata metadata_of(const ositrace::Channel& channel, Bytes first_payload)
{
    ChannelMetadata result{channel.metadata, false, {}};
    if (!channel.type || channel.root == nullptr) return result;
    for (const auto key : {osi_metadata::channel_osi_version_key, osi_metadata::channel_protobuf_version_key}) {
        const auto found = result.entries.find(std::string(key));
        if (found == result.entries.end() || release_in(found->second)) continue;
        result.replaced.push_back({{}, found->first, found->second, {}});
        result.entries.erase(found);
    }
    if (const std::string key(osi_metadata::channel_osi_version_key); !result.entries.contains(key)) {
        const auto stated = claimed_osi_version(first_payload, channel);
        const auto version = stated ? stated : channel.schema->osi_version();
        if (version) result.entries.emplace(key, version->to_string());
        result.version_assumed = !stated;
    }
    if (channel.format.encoding == Encoding::protobuf)
        result.entries.emplace(osi_metadata::channel_protobuf_version_key, osi_metadata::canonical_protobuf_version);
    for (auto& each : result.replaced)
        if (const auto found = result.entries.find(each.key); found != result.entries.end())
            each.written = found->second;
    return result;
}

void TraceRecord::add(const MetadataRecord& record)
{
    given_ = true;
    for (const auto& [key, value] : record.entries) {
        const auto [known, is_new] = entries_.emplace(key, value);
        if (!is_new && std::ranges::find(list_keys, key) != list_keys.end()) join_lists(known->second, value);
    }
}

void TraceRecord::cover(const std::map<std::string, std::string>& channel_metadata)
{
    covers_ = true;
    if (const auto found = channel_metadata.find(std::string(osi_metadata::channel_osi_version_key));
        found != channel_metadata.end())
        osi_.take(found->second);
    if (const auto found = channel_metadata.find(std::string(osi_metadata::channel_protobuf_version_key));
        found != channel_metadata.end())
        protobuf_.take(found->second);
}

MetadataRecord TraceRecord::record() const
{
    MetadataRecord record{std::string(osi_metadata::trace_record), entries_};
    record.entries.emplace(osi_metadata::version_key, osi_metadata::trace_format_version);
    osi_.put(record.entries, osi_metadata::min_osi_version_key, osi_metadata::max_osi_version_key,
             osi_metadata::trace_format_version);
    protobuf_.put(record.entries, osi_metadata::min_protobuf_version_key, osi_metadata::max_protobuf_version_key,
                  osi_metadata::canonical_protobuf_version);
    return record;
}

void TraceRecord::Range::take(const std::string& version)
{
    if (!release_in(version)) return;  // the standard's ranges are of major.minor.patch
    if (smallest.empty() || is_smaller(version, smallest)) smallest = version;
    if (largest.empty() || is_smaller(largest, version)) largest = version;
}

// Without a channel that has a version the statement of the input is kept.
void TraceRecord::Range::put(std::map<std::string, std::string>& entries, std::string_view smallest_key,
                             std::string_view largest_key, std::string_view otherwise) const
{
    if (smallest.empty()) {
        entries.emplace(smallest_key, otherwise);
        entries.emplace(largest_key, otherwise);
    } else {
        entries[std::string(smallest_key)] = smallest;
        entries[std::string(largest_key)] = largest;
    }
}

}  // namespace ositrace::mcap
