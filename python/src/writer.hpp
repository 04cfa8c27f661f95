// SPDX-License-Identifier: MPL-2.0
// A trace that is written, as the class Writer of ositrace/_writer.py uses it.
#pragma once

#include <nanobind/nanobind.h>

namespace ositrace::python {

void register_writer(nanobind::module_& module);

}  // namespace ositrace::python
