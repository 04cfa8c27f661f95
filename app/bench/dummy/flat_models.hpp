// SPDX-License-Identifier: MPL-2.0
// The models of one layout, for its row.
#pragma once

#include "app/bench/dummy/opponents.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

[[nodiscard]] std::unique_ptr<SensorModel> flat_builder_sensor(const DummySensorOptions& options, FlatInput input,
                                                               FlatBuilder builder);
[[nodiscard]] std::unique_ptr<SensorModel> flat_builder_source(const DummySourceOptions& options, FlatBuilder builder);
[[nodiscard]] std::unique_ptr<SensorModel> flat_object_sensor(const DummySensorOptions& options, FlatInput input,
                                                              FlatObjects objects);
[[nodiscard]] std::unique_ptr<SensorModel> flat_object_source(const DummySourceOptions& options, FlatObjects objects);
[[nodiscard]] Bytes binary_schema();

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
