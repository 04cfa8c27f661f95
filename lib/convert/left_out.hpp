// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/convert.hpp>

namespace ositrace {

/// What of a source beside its frames is not in the output, because there is no place for it. Counted from the
/// beginning each time, for a source that learns more on the way.
void count_left_out(const TraceInfo& from, const TraceWriter& to, ConvertResult& result);

/// Do the times of a container that keeps them say more than the payload does?
[[nodiscard]] bool has_other_times(const Frame& frame, const Channel& channel);

}  // namespace ositrace
