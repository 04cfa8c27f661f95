// SPDX-License-Identifier: MPL-2.0
// The elements of a sensor that are read into arrays, and the fields that are read.
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

/// A kind of elements. A column is a field of doubles; an unset value is 0.
struct Elements {
    ElementKind kind;
    MessageType message;                    ///< that contains the sensors
    std::string_view name, thing;           ///< `lidar reflections`, `reflection`
    std::string_view parent;                ///< a message on the way to the sensors; may be empty
    std::string_view sensors, elements;     ///< repeated fields: `lidar_sensor_view`, `reflection`
    std::vector<std::string_view> columns;  ///< paths below an element
};
/// The kinds that the variants support.
[[nodiscard]] std::span<const Elements> element_kinds();

/// The columns of one sensor.
using Columns = std::vector<std::vector<double>>;

/// Calls `visit` with every sensor of a frame, as a MessageView.
void for_each_sensor(const Elements& elements, const MessageView& frame,
                     const std::function<void(const MessageView&)>& visit);
/// Elements in all frames of a sample.
[[nodiscard]] std::size_t count_elements(const Elements& elements, const Sample& sample);
/// The first kind that the sample contains.
[[nodiscard]] const Elements* elements_in(const Sample& sample);

}  // namespace ositrace::bench
