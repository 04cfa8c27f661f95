// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/export.hpp>

namespace ositrace {

/// Checks an entry for the record `net.asam.osi.trace` of an MCAP file. Allowed are keys that the OSI standard does not
/// define and those that it recommends, in its form: `zero_time` and `creation_time` (an XML Schema dateTimeStamp),
/// `description`, `authors`, `data_sources`. Not allowed are versions, which a writer sets from its data, and other
/// names that begin with net.asam.osi. Throws Error (usage) with the reason.
OSITRACE_API void check_trace_entry(std::string_view key, std::string_view value);

/// An XML Schema dateTimeStamp: `2021-08-18T15:05:42.5Z`, `2021-08-18T15:05:42+02:00`; the time zone is mandatory.
[[nodiscard]] OSITRACE_API bool is_date_time_stamp(std::string_view text) noexcept;

}  // namespace ositrace
