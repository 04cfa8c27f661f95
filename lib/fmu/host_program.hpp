// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

namespace ositrace::fmu {

/// Where ositrace-fmu-host is: what was asked for, else what OSITRACE_FMU_HOST names, else beside the running program,
/// in the libexec folder next to the program's, or where this build installs it. Throws Error (io) naming the places.
[[nodiscard]] std::filesystem::path find_host_program(const std::filesystem::path& asked_for);

}  // namespace ositrace::fmu
