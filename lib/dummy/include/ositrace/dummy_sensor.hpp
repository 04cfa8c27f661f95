// SPDX-License-Identifier: MPL-2.0
// The dummy sensor of the OSI performance studies: OSMPDummySensor with lidar detections. It builds no message objects.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <ositrace/encoding.hpp>
#include <ositrace/model_observer.hpp>
#include <ositrace/sensor_model.hpp>

namespace ositrace {

struct DummySensorOptions {
    double nominal_range = 135;        ///< metres; it sees 1.1 times as far
    bool carry_input = true;           ///< SensorData contains the SensorView of its step
    std::optional<Encoding> encoding;  ///< of SensorData; empty: that of the input
    ModelObserver observer;            ///< may be empty
};

/// A parameter of the dummy sensor, as text.
struct DummySensorParameter {
    std::string_view name;
    std::string_view type;   ///< as an FMU describes it
    std::string_view start;  ///< the value without a setting
};
[[nodiscard]] std::span<const DummySensorParameter> dummy_sensor_parameters() noexcept;
/// Throws Error (usage) for an unknown parameter, and for an invalid value.
void set_parameter(DummySensorOptions& options, std::string_view name, std::string_view value);

/// Reads the first channel of SensorView, in either encoding, and returns one SensorData for each of its frames:
/// - the moving objects (without the host) whose centre is within 1.1 times the nominal range and 30 degrees of the x
///   axis of the virtual sensor (host pose, then SensorView.mounting_position), with their pose in its frame,
///   dimension, classification, the existence probability cos((2 distance - range) / range) and, for pedestrians, the
///   poses of head and upper body, which look straight ahead; none if the frame has no host;
/// - of every lidar a detection out of every 18th reflection: the distance by its time of flight; the direction of its
///   ray if the view configuration has the number of rays, else that which the seed experiments assumed.
/// The SensorView in a SensorData (DummySensorOptions::carry_input) is copied as bytes in Protobuf, and in FlatBuffers
/// if the input has the layout `numbered`; fields that are not read are not checked. Throws Error (usage) for a nominal
/// range that is not a number of metres.
[[nodiscard]] std::unique_ptr<SensorModel> dummy_sensor(const DummySensorOptions& options = {});

}  // namespace ositrace
