// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ositrace::fmu {

/// The trace that `trace_path` and `trace_name` mean, as the field's player has them: a file of this name in the
/// folder, without a name the first in alphabetical order; `path` may be the file itself. Throws Error (usage, io)
/// saying what there is to choose from.
[[nodiscard]] std::filesystem::path trace_file(const std::string& path, const std::string& name);

}  // namespace ositrace::fmu
