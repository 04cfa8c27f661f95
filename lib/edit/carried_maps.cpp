// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/carried_maps.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include <ositrace/trace_map.hpp>

namespace ositrace {

bool CarriedMaps::take(const Frame& frame, const Channel& channel)
{
    if (!is_map_channel(channel) || has(frame.channel)) return false;
    auto copy = frame;
    auto bytes = std::make_shared<std::vector<std::byte>>(frame.bytes.begin(), frame.bytes.end());
    copy.bytes = *bytes;
    copy.owner = std::move(bytes);
    copy.owner_bytes = copy.bytes.size();
    maps_.push_back({std::move(copy)});
    return true;
}

void CarriedMaps::begin_part()
{
    for (auto& map : maps_) map.is_due = true;
}

std::optional<Frame> CarriedMaps::next(const Frame& before)
{
    const auto map = std::ranges::find(maps_, true, &Map::is_due);
    if (map == maps_.end()) return std::nullopt;
    map->is_due = false;
    auto frame = map->frame;
    if (before.log_time) {
        frame.log_time = before.log_time;
        frame.publish_time = before.publish_time;
    }
    return frame;
}

bool CarriedMaps::has(std::uint32_t channel) const noexcept
{
    return std::ranges::any_of(maps_, [&](const Map& map) { return map.frame.channel == channel; });
}

}  // namespace ositrace
