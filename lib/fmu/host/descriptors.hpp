// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace::fmu {

/// The descriptors that the process of a model inherits, besides the three standard ones.
inline constexpr int lifeline_descriptor = 3;  ///< a pipe whose other end is closed when the replay has ended
inline constexpr int memory_descriptor = 4;    ///< ExchangeMemory
inline constexpr int first_foreign_descriptor = 5;

}  // namespace ositrace::fmu
