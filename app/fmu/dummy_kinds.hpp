// SPDX-License-Identifier: MPL-2.0
// The dummy models as FMUs, with our code or that of the opponents in benchmarks.
#pragma once

#include <memory>
#include <string_view>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/dummy_source.hpp>

#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

using MakeDummySource = std::unique_ptr<SensorModel> (*)(const DummySourceOptions& options);
using MakeDummySensor = std::unique_ptr<SensorModel> (*)(const DummySensorOptions& options);

[[nodiscard]] FmuKind dummy_source_kind(std::string_view name, Encoding encoding, MakeDummySource make);
[[nodiscard]] FmuKind dummy_sensor_kind(std::string_view name, Encoding encoding, MakeDummySensor make);

}  // namespace ositrace::fmu
