// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/convert.hpp>

namespace ositrace {

/// Counts what a source has beside its frames that the output format does not support. Counts everything at each call,
/// because a source may add to its TraceInfo while it is read.
void count_left_out(const TraceInfo& from, const TraceWriter& to, ConvertResult& result);

/// What becomes of the log and publish time of a frame where only the OSI time is kept.
enum class KeptTime : std::uint8_t {
    same,   ///< they are the OSI time, or there are none
    other,  ///< they differ from it
    none,   ///< there is no OSI time: the message has no time at all then
};
[[nodiscard]] KeptTime kept_time_of(const Frame& frame, const Channel& channel);
/// `kept` is counted in one of these two.
inline void count_kept_time(KeptTime kept, std::uint64_t& other_times, std::uint64_t& lost_times) noexcept
{
    other_times += kept == KeptTime::other ? 1 : 0;
    lost_times += kept == KeptTime::none ? 1 : 0;
}

}  // namespace ositrace
