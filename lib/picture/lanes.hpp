// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/picture/lane_boundaries.hpp"
#include "lib/picture/layer_builder.hpp"
#include "lib/picture/line_points.hpp"

namespace ositrace::picture {

/// The lanes of the host: determined by the lanes themselves, or, for a map from another frame, by the host in this
/// frame.
struct HostLanes {
    bool as_lanes_say = true;
    std::vector<std::uint64_t> ids;
    friend bool operator==(const HostLanes&, const HostLanes&) = default;
};

/// Lanes of `field` between the boundaries in `lines`.
void add_lanes(LayerBuilder& to, const MessageView& parent, std::string_view field, LinePointReader& reader,
               const BoundaryLines& lines, const HostLanes& host);
void add_logical_lanes(LayerBuilder& to, const MessageView& parent, std::string_view field, const BoundaryLines& lines);
/// Lanes as a sensor sees them, between its boundaries.
void add_detected_lanes(LayerBuilder& to, const MessageView& sensor_data, LinePointReader& reader,
                        const BoundaryLines& lines);

}  // namespace ositrace::picture
