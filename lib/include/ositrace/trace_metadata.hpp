// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/export.hpp>

namespace ositrace {

/// Is this an entry that one may add to the record `net.asam.osi.trace` of an MCAP file? Any key of one's own is, and
/// those that the standard recommends, in its form: `zero_time` and `creation_time` (an XML Schema dateTimeStamp),
/// `description`, `authors`, `data_sources`. Versions are not, because a writer states those of its data, nor are other
/// names that begin with net.asam.osi. Throws Error (usage) that says why.
OSITRACE_API void check_trace_entry(std::string_view key, std::string_view value);

/// An XML Schema dateTimeStamp: `2021-08-18T15:05:42.5Z`, `2021-08-18T15:05:42+02:00`; the time zone is mandatory.
[[nodiscard]] OSITRACE_API bool is_date_time_stamp(std::string_view text) noexcept;

}  // namespace ositrace
