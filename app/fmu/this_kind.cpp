// SPDX-License-Identifier: MPL-2.0
// Compiled once for every FMU; OSITRACE_FMU_KIND is the function that returns its row.
#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

const FmuKind& this_kind() { return OSITRACE_FMU_KIND(); }

}  // namespace ositrace::fmu
