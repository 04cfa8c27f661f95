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

void CombinedChannels::follow(std::size_t origin, const TraceInfo& info)
{
    auto& places = origins_.at(origin).places;
    for (auto i = places.size(); i < info.channels.size(); ++i) {
        places.push_back(static_cast<std::uint32_t>(info_.channels.size()));
        auto& channel = info_.channels.emplace_back(info.channels[i]);
        channel.topic = free_topic(origins_[origin], channel.topic);
    }
}

Frame CombinedChannels::combined(std::size_t origin, Frame frame) const
{
    frame.channel = origins_.at(origin).places.at(frame.channel);
    return frame;
}

}  // namespace ositrace
