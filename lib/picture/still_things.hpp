// SPDX-License-Identifier: MPL-2.0
// Stationary things beside and on the road, each kind in a layer of its own. `field`: the name of the repeated messages
// in `parent`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/picture/layer_builder.hpp"

namespace ositrace::picture {

void add_stationary_objects(LayerBuilder& to, const MessageView& parent, std::string_view field);
void add_traffic_signs(LayerBuilder& to, const MessageView& parent, std::string_view field);
void add_traffic_lights(LayerBuilder& to, const MessageView& parent, std::string_view field);
void add_road_markings(LayerBuilder& to, const MessageView& parent, std::string_view field);

/// The look and type from a Classification, which detected things have, too.
struct StillKind {
    Look look = Look::unknown;
    std::string type;  ///< `building`
    float strength = 1;
};
[[nodiscard]] StillKind kind_of_stationary_object(const std::optional<MessageView>& classification);
[[nodiscard]] StillKind kind_of_traffic_sign(const std::optional<MessageView>& classification);
/// At most six digits: `7.5`.
[[nodiscard]] std::string number_text(double number);
/// The value of a TrafficSignValue as it appears on the sign: `50`; empty without one.
[[nodiscard]] std::string number_on_sign(const MessageView& classification);
/// TrafficLight.Classification.Mode of OSI 3.8.0.
enum : std::int64_t { lamp_off = 2, lamp_constant = 3, lamp_flashing = 4, lamp_counting = 5 };
[[nodiscard]] StillKind kind_of_traffic_light(const std::optional<MessageView>& classification);
[[nodiscard]] StillKind kind_of_road_marking(const std::optional<MessageView>& classification);

/// A road marking of the last added thing: a surface on its upper side.
void add_marking_surface(LayerBuilder& to, Look look);

}  // namespace ositrace::picture
