// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/convert.hpp>

namespace ositrace {

/// Counts what a source has beside its frames that the output format does not support. Counts everything at each call,
/// because a source may add to its TraceInfo while it is read.
void count_left_out(const TraceInfo& from, const TraceWriter& to, ConvertResult& result);

/// `kept` is counted in one of these two.
inline void count_kept_time(KeptTime kept, std::uint64_t& other_times, std::uint64_t& lost_times) noexcept
{
    other_times += kept == KeptTime::other ? 1 : 0;
    lost_times += kept == KeptTime::none ? 1 : 0;
}

}  // namespace ositrace
