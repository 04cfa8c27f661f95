// SPDX-License-Identifier: MPL-2.0
// The parts of the compiled module: each adds its classes and functions to it. Called once, in the order of module.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace ositrace::python {

/// Errors that functions of nanobind throw become ositrace.Error and its classes.
void register_errors();
void register_frame(nanobind::module_& module);
void register_frame_iterator(nanobind::module_& module);
void register_trace(nanobind::module_& module);
void register_play(nanobind::module_& module);
void register_batches(nanobind::module_& module);
void register_tables(nanobind::module_& module);
void register_scans(nanobind::module_& module);
void register_traffic(nanobind::module_& module);
void register_writer(nanobind::module_& module);  ///< what ositrace/_writer.py uses
void register_descriptors(nanobind::module_& module);
void register_messages(nanobind::module_& module);
/// Functions for _message.py: messages as text, JSON and bytes, and from bytes.
void register_message_forms(nanobind::module_& module);

}  // namespace ositrace::python
