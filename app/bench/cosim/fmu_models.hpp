// SPDX-License-Identifier: MPL-2.0
// The dummy models as FMUs, each in a process of its own.
#pragma once

#include <ositrace/fmu_model.hpp>

#include "app/bench/cosim/cosim_variants.hpp"

namespace ositrace::bench {

/// `log`: where its performance log is to be; empty: it writes none.
[[nodiscard]] std::unique_ptr<FmuModel> fmu_source(const std::filesystem::path& file, const DummySourceOptions& options,
                                                   const std::filesystem::path& log = {});
[[nodiscard]] std::unique_ptr<FmuModel> fmu_sensor(const std::filesystem::path& file, const DummySensorOptions& options,
                                                   const std::filesystem::path& log = {});

/// CosimRow::costs of a pair.
[[nodiscard]] decltype(CosimRow::costs) costs_of_fmus(std::string name, std::filesystem::path source,
                                                      std::filesystem::path sensor);

}  // namespace ositrace::bench
