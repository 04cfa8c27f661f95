// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// The GroundTruth messages in a top-level message: itself, that of a SensorView, those of the sensor views in a
/// SensorData. Found by the names of the tables, for any OSI release. Throws as MessageView does.
void for_each_ground_truth(const MessageView& message, const std::function<void(const MessageView&)>& visit);

/// The OSI version that a GroundTruth states; empty when it states none.
[[nodiscard]] std::optional<OsiVersion> osi_version_of(const MessageView& ground_truth);

/// Is a field of GroundTruth a part of the map, which a writer may send only once: lanes, boundaries, logical lanes,
/// reference lines, road markings, signs, stationary objects? Traffic lights are not, as they change.
[[nodiscard]] bool is_map_field(std::string_view name) noexcept;

/// Does a GroundTruth have a part of the map?
[[nodiscard]] bool has_static_data(const MessageView& ground_truth);

/// Can messages of this channel contain a ground truth, and so a map?
[[nodiscard]] bool can_have_map(const Channel& channel) noexcept;

/// How much of a map a message has. Many traces have objects beside the road, but no road.
enum class MapShare : std::uint8_t { unreadable, none, objects, road };
[[nodiscard]] MapShare map_share(Bytes payload, const Channel& channel);

}  // namespace ositrace
