// SPDX-License-Identifier: MPL-2.0
// A source and a sensor model, coupled, and the variants that implement both. The rows are in cosim_rows.cpp and
// fmu_rows.cpp.
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

/// A simulated case.
struct CosimCase {
    int figure = 0;  ///< of the study that it repeats; 0: none
    std::uint32_t reflections = 0, objects = 0;
    int steps = 1;             ///< in one run
    bool ray_scene = false;    ///< reflections of rays that hit something, instead of equal dummies
    bool carry_input = false;  ///< every sensor copies the SensorView into its SensorData; else no sensor does
};

/// The form of a sensor's result.
enum class SensorDataForm : std::uint8_t {
    protobuf,
    numbered,
    declared,  ///< no presence of zeros
    structs,   ///< the same, in a layout that ositrace does not have
};

using MakeSource = std::function<std::unique_ptr<SensorModel>(const DummySourceOptions&)>;
using MakeSensor = std::function<std::unique_ptr<SensorModel>(const DummySensorOptions&)>;

/// The costs that a pair of FMUs reports.
struct FmuCosts {
    std::vector<StageTiming> stages;  ///< the five stages, from its performance logs: a sample per step
    std::size_t process_bytes = 0;    ///< the most memory that its two processes used
};

/// A source and a sensor that are implemented with the same code.
struct CosimRow {
    std::string name, what;
    Role role;
    SensorDataForm form;
    MakeSource source;
    MakeSensor sensor;
    std::optional<std::size_t> lines = {};  ///< of code of both
    /// For FMUs: steps a new pair without timing it, and leaves its logs as log_performance() does.
    std::function<FmuCosts(const CosimCase& simulated, int steps, const std::filesystem::path& folder)> costs = {};
};
/// The rows, in the order of the tables.
[[nodiscard]] std::span<const CosimRow> cosim_rows();
/// The pairs of FMUs that were built with this program; `missing` names those that were not found.
[[nodiscard]] std::vector<CosimRow> fmu_rows(std::vector<std::string>& missing);

/// Steps both and times their stages, which are those of the studies; a run returns the bytes of the SensorViews
/// between them. The answer is the result of the sensor in the first steps, in Protobuf.
[[nodiscard]] Variant cosim_variant(const CosimRow& row, const CosimCase& simulated);
/// The same for a round of FMUs: besides the stages that the models report, the steps of source and sensor as seen by
/// their caller. Their performance logs are temporarily in `scratch`.
[[nodiscard]] Variant cosim_variant_seen_from_outside(const CosimRow& row, const CosimCase& simulated,
                                                      const std::filesystem::path& scratch);
/// The yardstick: one copy of the SensorView in Protobuf.
[[nodiscard]] Variant memcpy_of_sensor_view(const CosimCase& simulated);

/// Steps both and writes the performance log of each: `FOLDER/NAME source.json`, `FOLDER/NAME sensor.json`.
void log_performance(const CosimRow& row, const CosimCase& simulated, int steps, const std::filesystem::path& folder);

}  // namespace ositrace::bench
