// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/map_keeper.hpp"

#include <array>
#include <string_view>

#include "lib/trace/view_fields.hpp"

namespace ositrace::traffic {

namespace {

/// What read_traffic_map() reads.
constexpr std::array<std::string_view, 3> map_lists{"lane", "lane_boundary", "road_marking"};

void append_key(Bytes bytes, std::vector<std::byte>& key)
{
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const auto prefix = std::as_bytes(std::span(&size, 1));
    key.insert(key.end(), prefix.begin(), prefix.end());
    key.insert(key.end(), bytes.begin(), bytes.end());
}

}  // namespace

const std::shared_ptr<const TrafficMap>& MapKeeper::map_of(const MessageView& ground_truth)
{
    bool has_map = false, has_key = true;
    key_.clear();
    for (const auto list : map_lists)
        for_each_child(ground_truth, list, [&](const MessageView& element) {
            has_map = true;
            if (const auto bytes = element.wire_bytes())
                append_key(*bytes, key_);
            else
                has_key = false;
        });
    if (!has_map || (has_key && map_ && key_ == last_key_)) return map_;
    map_ = std::make_shared<const TrafficMap>(read_traffic_map(ground_truth));
    std::swap(key_, last_key_);
    return map_;
}

}  // namespace ositrace::traffic
