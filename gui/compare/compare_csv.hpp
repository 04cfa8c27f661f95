// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QString>

#include <ositrace/compare_traces.hpp>

namespace ositrace::gui {

/// A row per pair of objects, missed object and ghost, in the order of time: state, time, numbers of the messages, ids,
/// errors in SI units. The file appears when it is complete. Returns an empty text, or the error.
[[nodiscard]] QString write_csv(const TraceComparison& comparison, const QString& file);

}  // namespace ositrace::gui
