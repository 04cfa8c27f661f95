// SPDX-License-Identifier: MPL-2.0
// A source and a sensor model, coupled: who makes both how. The rows are in cosim_variants.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/dummy_source.hpp>

#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// What is simulated.
struct CosimCase {
    std::uint32_t reflections = 0, objects = 0;
    bool ray_scene = false;    ///< rays that hit something, instead of equal dummies
    bool carry_input = false;  ///< every sensor copies the SensorView into its SensorData; else none does
    int steps = 1;             ///< in one run
};

/// A source and a sensor on the same code.
struct CosimRow {
    const char* name;
    const char* what;
    Role role;
    Encoding encoding;  ///< between them
    std::unique_ptr<SensorModel> (*source)(const DummySourceOptions&);
    std::unique_ptr<SensorModel> (*sensor)(const DummySensorOptions&);
};
/// In the order of the tables.
[[nodiscard]] std::span<const CosimRow> cosim_rows() noexcept;

/// Steps both, times their five stages; the answer is what the sensor says in all steps, in Protobuf.
[[nodiscard]] Variant cosim_variant(const CosimRow& row, const CosimCase& simulated);
/// The yardstick: one copy of the SensorView in Protobuf.
[[nodiscard]] Variant memcpy_of_sensor_view(const CosimCase& simulated);

}  // namespace ositrace::bench
