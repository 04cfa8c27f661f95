// SPDX-License-Identifier: MPL-2.0
// The dummy source of the OSI performance studies: OSMPDummySource with many objects and lidar reflections.
#pragma once

#include <cstdint>
#include <memory>

#include <ositrace/encoding.hpp>
#include <ositrace/model_observer.hpp>
#include <ositrace/sensor_model.hpp>

namespace ositrace {

struct DummySourceOptions {
    std::uint32_t moving_objects = 10;
    std::uint32_t reflections = 0;  ///< 0: no lidar
    int reflection_fields = 2;      ///< 2: signal_strength, time_of_flight; 3: doppler_shift too
    bool ray_scene =
        false;  ///< rays of the sample scene's first frame instead of equal dummies; traced once, beforehand
    Encoding encoding = Encoding::protobuf;
    ModelObserver observer;  ///< may be empty
};

/// Has no input and returns a SensorView per step: vehicles whose positions and velocities depend on the time, the
/// fifth of them (id 14) the host. Throws Error (usage) for invalid options.
[[nodiscard]] std::unique_ptr<SensorModel> dummy_source(const DummySourceOptions& options = {});

}  // namespace ositrace
