// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ositrace/traffic_map.hpp>

namespace ositrace::traffic {

/// The map of the frames of a channel: that of the frame, else of the last one that had one. A map that is repeated in
/// every frame is read once where it is Protobuf: as long as its bytes are equal.
class MapKeeper {
public:
    /// Null: there was none yet. Throws what MessageView throws.
    const std::shared_ptr<const TrafficMap>& map_of(const MessageView& ground_truth);

private:
    std::vector<std::byte> key_, last_key_;
    std::shared_ptr<const TrafficMap> map_;
};

}  // namespace ositrace::traffic
