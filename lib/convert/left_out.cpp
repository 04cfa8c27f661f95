// SPDX-License-Identifier: MPL-2.0
#include "lib/convert/left_out.hpp"

#include <algorithm>

#include "lib/trace/osi_metadata.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

void count_left_out(const TraceInfo& from, const TraceWriter& to, ConvertResult& result)
{
    result.left_out_application_records = from.application_records;
    result.left_out_channel_metadata = from.late_channel_keys.size();
    if (to.holds_records()) return;
    const auto derivable = std::ranges::count_if(from.metadata, states_versions_only);
    result.left_out_metadata = from.metadata.size() - static_cast<std::size_t>(derivable);
    result.left_out_attachments = from.attachments.size();
    const auto is_own_key = [](const std::string& key) { return !key.starts_with(osi_metadata::reserved_prefix); };
    const auto is_own = [&](const auto& entry) { return is_own_key(entry.first); };
    result.left_out_channel_metadata =
        static_cast<std::uint64_t>(std::ranges::count_if(from.late_channel_keys, is_own_key));
    for (const auto& channel : from.channels)
        result.left_out_channel_metadata += static_cast<std::uint64_t>(std::ranges::count_if(channel.metadata, is_own));
}

KeptTime kept_time_of(const Frame& frame, const Channel& channel)
{
    if (!frame.log_time) return KeptTime::same;
    const auto time = osi_time_of(frame, channel);
    if (!time) return KeptTime::none;
    const bool differ = frame.log_time != time || (frame.publish_time && frame.publish_time != time);
    return differ ? KeptTime::other : KeptTime::same;
}

}  // namespace ositrace
