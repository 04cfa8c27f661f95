// SPDX-License-Identifier: MPL-2.0
// What is read into arrays: the elements of a sensor, and which of their fields.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ositrace/message_view.hpp>

#include "app/bench/core/sample.hpp"

namespace ositrace::bench {

inline constexpr std::size_t most_columns = 4;

enum class ElementKind : std::uint8_t { reflections, detections };

/// One kind. A column is a field of doubles; what is not set is 0.
struct Elements {
    ElementKind kind;
    MessageType message;                    ///< that has the sensors
    std::string_view name, thing;           ///< `lidar reflections`, `reflection`
    std::string_view parent;                ///< a message on the way to the sensors; may be empty
    std::string_view sensors, elements;     ///< repeated fields: `lidar_sensor_view`, `reflection`
    std::vector<std::string_view> columns;  ///< paths below an element
};
/// Those which the variants know.
[[nodiscard]] std::span<const Elements> element_kinds();

/// The columns of one sensor.
using Columns = std::vector<std::vector<double>>;

/// Calls `visit` with every sensor of a frame, through our view.
void for_each_sensor(const Elements& elements, const MessageView& frame,
                     const std::function<void(const MessageView&)>& visit);
/// Elements in all frames of a sample.
[[nodiscard]] std::size_t count_elements(const Elements& elements, const Sample& sample);
/// The first kind of which the sample has any.
[[nodiscard]] const Elements* elements_in(const Sample& sample);

}  // namespace ositrace::bench
