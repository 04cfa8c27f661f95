// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/fmu.hpp>

namespace ositrace::fmu {

inline constexpr std::size_t max_description_bytes = std::size_t{64} << 20;

/// The contents of modelDescription.xml. `file` stays empty. Throws Error (malformed, unsupported, limit).
[[nodiscard]] FmuDescription read_model_description(std::string_view xml);

}  // namespace ositrace::fmu
