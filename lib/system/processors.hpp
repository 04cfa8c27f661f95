// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace {

/// The processors on which this thread may run, at least 1: taskset and the cpusets of containers leave it fewer than
/// the machine has, which std::thread::hardware_concurrency() does not see.
[[nodiscard]] unsigned usable_processors() noexcept;

}  // namespace ositrace
