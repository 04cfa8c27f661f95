// SPDX-License-Identifier: MPL-2.0
// The section of time that a command writes.
#pragma once

#include <ositrace/timeline.hpp>

#include "gui/window/view_options.hpp"

namespace ositrace::gui {

class HeldSignals;
class Viewer;

/// Waits until everything is read. Throws Error (io): what opening a file throws, or if there is nothing to show.
void wait_until_read(Viewer& viewer, const HeldSignals& held);

/// The whole trace, or the part of it that `--time A..B` requests. The viewer must have read everything. Throws Error:
/// mismatch, usage.
[[nodiscard]] TimeSection requested_section(const ViewOptions& options, Viewer& viewer);

/// A line on standard output, or on standard error where that is what is written. Throws Error (io).
void print_line(const QString& line, bool to_standard_error);

}  // namespace ositrace::gui
