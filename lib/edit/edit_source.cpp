// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/edit_source.hpp"

#include "lib/trace/payload_header.hpp"

namespace ositrace {

void EditSource::follow_records(TraceInfo& info) const
{
    const auto& source = info_of_source();
    for (auto i = info.metadata.size(); i < source.metadata.size(); ++i) info.metadata.push_back(source.metadata[i]);
    for (auto i = info.attachments.size(); i < source.attachments.size(); ++i)
        info.attachments.push_back(source.attachments[i]);
    info.application_records = source.application_records;
    info.late_channel_keys = source.late_channel_keys;
}

std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel)
{
    const auto time = osi_time_of(frame, channel);
    return time ? time : frame.log_time;
}

}  // namespace ositrace
