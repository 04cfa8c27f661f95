// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace {

/// The descriptors that a ChildProcess inherits, besides the three standard ones.
inline constexpr int lifeline_descriptor = 3;  ///< a pipe whose other end is closed when the parent has ended
inline constexpr int memory_descriptor = 4;    ///< SharedMemory
inline constexpr int first_foreign_descriptor = 5;

}  // namespace ositrace
