// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>

namespace ositrace {

/// Standard output is a pipe whose reader has gone: only a write that fails tells it.
inline std::atomic<bool> standard_output_broke = false;

}  // namespace ositrace
