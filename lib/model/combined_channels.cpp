// SPDX-License-Identifier: MPL-2.0
#include "lib/model/combined_channels.hpp"

#include <utility>

namespace ositrace {

std::size_t CombinedChannels::add_origin(std::string name, bool always)
{
    origins_.push_back({std::move(name), always, {}});
    return origins_.size() - 1;
}

std::string CombinedChannels::free_topic(const Origin& origin, const std::string& topic)
{
    const bool says_it = origin.name.empty() || topic.starts_with(origin.name + '.');
    const auto prefixed = says_it ? topic : origin.name + '.' + topic;
    auto wanted = origin.always ? prefixed : topic;
    if (topics_.insert(wanted).second) return wanted;
    auto free = prefixed;
    for (unsigned i = 2; !topics_.insert(free).second; ++i) free = prefixed + '_' + std::to_string(i);
    return free;
}

std::uint32_t CombinedChannels::place_of(Origin& origin, std::uint32_t channel, const TraceInfo& info)
{
    if (origin.places.size() <= channel) origin.places.resize(channel + 1);
    auto& place = origin.places[channel];
    if (place) return *place;
    place = static_cast<std::uint32_t>(info_.channels.size());
    auto& added = info_.channels.emplace_back(info.channels.at(channel));
    added.topic = free_topic(origin, added.topic);
    return *place;
}

void CombinedChannels::follow(std::size_t origin, const TraceInfo& info)
{
    for (std::uint32_t i = 0; i < info.channels.size(); ++i) place_of(origins_.at(origin), i, info);
}

Frame CombinedChannels::combined(std::size_t origin, Frame frame, const TraceInfo& info)
{
    frame.channel = place_of(origins_.at(origin), frame.channel, info);
    return frame;
}

}  // namespace ositrace
