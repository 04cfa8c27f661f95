// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/picture/lane_area.hpp"
#include "lib/picture/layer_builder.hpp"
#include "lib/picture/line_points.hpp"

namespace ositrace::picture {

/// The positions of the points of each boundary, for the lanes between them.
class BoundaryLines {
public:
    /// `gap`: metres between its dashes.
    void add(std::uint64_t id, std::uint32_t first, std::size_t count, double gap = 0);
    /// The layer that the boundaries were built into; keeps its points.
    void stand_in(std::shared_ptr<const Layer> layer) noexcept { layer_ = std::move(layer); }
    /// Empty for an id that no boundary has.
    [[nodiscard]] LaneEdge find(std::uint64_t id) const noexcept;

private:
    struct Range {
        std::uint32_t first = 0, count = 0;
        double gap = 0;
    };
    std::unordered_map<std::uint64_t, Range> ranges_;
    std::shared_ptr<const Layer> layer_;
};

/// LaneBoundaries of `field`.
void add_lane_boundaries(LayerBuilder& to, const MessageView& parent, std::string_view field, LinePointReader& reader,
                         BoundaryLines& lines);
void add_logical_lane_boundaries(LayerBuilder& to, const MessageView& parent, std::string_view field,
                                 LinePointReader& reader, BoundaryLines& lines);
void add_reference_lines(LayerBuilder& to, const MessageView& parent, std::string_view field, LinePointReader& reader);
/// Boundaries as a sensor sees them: classified by their most probable candidate.
void add_detected_lane_boundaries(LayerBuilder& to, const MessageView& sensor_data, LinePointReader& reader,
                                  BoundaryLines& lines);

}  // namespace ositrace::picture
