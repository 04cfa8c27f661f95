// SPDX-License-Identifier: MPL-2.0
// The names of message variables.
#pragma once

#include <string>
#include <string_view>

#include <ositrace/message_type.hpp>

namespace ositrace::fmu {

/// OSMP's name where it has one, else one by the same rule: `OSMPGroundTruthOut`. Empty for SensorViewConfiguration,
/// which OSMP negotiates before the first step.
[[nodiscard]] inline std::string output_name(MessageType type)
{
    if (type == MessageType::sensor_view_configuration) return {};
    return "OSMP" + std::string(row_of(type).name) + "Out";
}

/// `OSMPSensorViewIn`. OSMP has no other input for GroundTruth than that of the initialization, but one may wish to
/// record it.
[[nodiscard]] inline std::string input_name(MessageType type)
{
    if (type == MessageType::sensor_view_configuration) return {};
    return "OSMP" + std::string(row_of(type).name) + "In";
}

/// What a sensor model requests and receives before the first step (OSMP).
inline constexpr std::string_view configuration_request_name = "OSMPSensorViewInConfigRequest";
inline constexpr std::string_view configuration_name = "OSMPSensorViewInConfig";
inline constexpr std::string_view ground_truth_init_name = "OSMPGroundTruthInit";

}  // namespace ositrace::fmu
