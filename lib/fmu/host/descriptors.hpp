// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace::fmu {

/// Descriptors that the process of a model inherits after the three standard ones.
inline constexpr int lifeline_descriptor = 3;  ///< a pipe that the other end closes when the replay is gone
inline constexpr int memory_descriptor = 4;    ///< ExchangeMemory
inline constexpr int first_foreign_descriptor = 5;

}  // namespace ositrace::fmu
