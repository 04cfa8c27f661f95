// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace ositrace::python {

void register_play(nanobind::module_& module);

}  // namespace ositrace::python
