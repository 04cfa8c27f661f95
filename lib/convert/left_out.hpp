// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/convert.hpp>

namespace ositrace {

/// Counts what a source has beside its frames that the output format does not support. Counts everything at each call,
/// because a source may add to its TraceInfo while it is read.
void count_left_out(const TraceInfo& from, const TraceWriter& to, ConvertResult& result);

/// Does the log time or publish time of a frame differ from its OSI time?
[[nodiscard]] bool has_other_times(const Frame& frame, const Channel& channel);

}  // namespace ositrace
