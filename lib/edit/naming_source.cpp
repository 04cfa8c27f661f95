// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <utility>

#include <ositrace/edit_rename.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "lib/mcap/osi_names.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace {

namespace {

void add(std::vector<OsiVersion>& ascending, const std::optional<OsiVersion>& version)
{
    if (!version) return;
    const auto place = std::ranges::lower_bound(ascending, *version);
    if (place == ascending.end() || *place != *version) ascending.insert(place, *version);
}

/// Those of the message and of the ground truth in it.
void add_versions(std::vector<OsiVersion>& ascending, Bytes payload, const Channel& channel)
try {
    add(ascending, osi_version_of(payload, channel));
    for_each_ground_truth({payload, *channel.root, channel.format},
                          [&](const MessageView& truth) { add(ascending, osi_version_of(truth)); });
} catch (const Error&) {
    // A frame that is broken says nothing about the name.
}

}  // namespace

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
    for (auto& record : summary.info.metadata)  // what is written states the smallest of its own channels
        if (record.name == mcap::osi::trace_record)
            record.entries.erase(std::string(mcap::osi::min_protobuf_version_key));
    summary.channels = seen_;
    for (auto i = seen_.size(); i < summary.info.channels.size(); ++i)
        summary.channels.push_back({.channel = summary.info.channels[i]});
    return summary;
}

}  // namespace ositrace
