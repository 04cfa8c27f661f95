// SPDX-License-Identifier: MPL-2.0
// A source and a sensor model, coupled: who makes both how. The rows are in cosim_rows.cpp and fmu_rows.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/dummy_source.hpp>

#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// What is simulated.
struct CosimCase {
    int figure = 0;  ///< of the study that it makes again; 0: none
    std::uint32_t reflections = 0, objects = 0;
    int steps = 1;             ///< in one run
    bool ray_scene = false;    ///< rays that hit something, instead of equal dummies
    bool carry_input = false;  ///< every sensor copies the SensorView into its SensorData; else none does
};

/// What a sensor returns.
enum class SensorDataForm : std::uint8_t {
    protobuf,
    numbered,
    declared,  ///< no presence of zeros
    structs,   ///< the same, and no layout of ours
};

using MakeSource = std::function<std::unique_ptr<SensorModel>(const DummySourceOptions&)>;
using MakeSensor = std::function<std::unique_ptr<SensorModel>(const DummySensorOptions&)>;

/// What a pair of FMUs says about itself.
struct FmuCosts {
    std::vector<StageTiming> stages;  ///< the five, of its performance logs: a sample per step
    std::size_t process_bytes = 0;    ///< the most that its two processes held
};

/// A source and a sensor on the same code.
struct CosimRow {
    std::string name, what;
    Role role;
    SensorDataForm form;
    MakeSource source;
    MakeSensor sensor;
    std::optional<std::size_t> lines = {};  ///< of code of both
    /// Of FMUs: steps a new pair, untimed, and leaves its logs as log_performance() does.
    std::function<FmuCosts(const CosimCase& simulated, int steps, const std::filesystem::path& folder)> costs = {};
};
/// In the order of the tables.
[[nodiscard]] std::span<const CosimRow> cosim_rows();
/// Pairs of FMUs that were built beside this program; `missing` names those that were not found.
[[nodiscard]] std::vector<CosimRow> fmu_rows(std::vector<std::string>& missing);

/// Steps both, times their stages, which are those of the studies; a run returns the bytes of the SensorViews between
/// them. The answer is what the sensor says in the first steps, in Protobuf.
[[nodiscard]] Variant cosim_variant(const CosimRow& row, const CosimCase& simulated);
/// The same for a round of FMUs: besides the stages that the models know of, the steps of source and sensor as their
/// caller sees them. Their performance logs are in `scratch` for a while.
[[nodiscard]] Variant cosim_variant_seen_from_outside(const CosimRow& row, const CosimCase& simulated,
                                                      const std::filesystem::path& scratch);
/// The yardstick: one copy of the SensorView in Protobuf.
[[nodiscard]] Variant memcpy_of_sensor_view(const CosimCase& simulated);

/// Steps both and writes the performance log of each: `FOLDER/NAME source.json`, `FOLDER/NAME sensor.json`.
void log_performance(const CosimRow& row, const CosimCase& simulated, int steps, const std::filesystem::path& folder);

}  // namespace ositrace::bench
