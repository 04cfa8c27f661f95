// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace {

/// Prints how long it takes from a frame's deadline to the entry of an FMU's step, in this process and in a child
/// process, beside what an empty loop is late by in the same run, and how fast large frames pass into a child, beside
/// memcpy.
void measure_fmu_entry(bool quick);

}  // namespace ositrace
