// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>

#include <ositrace/fmu.hpp>

#include "lib/fmu/fmu_archive.hpp"

namespace ositrace::fmu {

/// The folder under `binaries/` that has the model for this machine. Throws Error (unsupported) naming those there are.
[[nodiscard]] std::string choose_platform(const FmuArchive& archive, const FmuDescription& model);
/// Refuses a library of another machine, which the loader only says is not there. Throws Error (unsupported) naming
/// that machine.
void check_machine(const std::filesystem::path& folder, const std::string& library);
/// `binaries/linux64/DummySensor.so`
[[nodiscard]] std::string library_path(const FmuDescription& model, const std::string& platform);

}  // namespace ositrace::fmu
