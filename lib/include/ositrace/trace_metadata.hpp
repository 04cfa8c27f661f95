// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Names that OSI-MCAP defines: the one metadata record of a trace, two of its keys, and those of a channel's metadata.
namespace osi_metadata {

inline constexpr std::string_view trace_record = "net.asam.osi.trace";
inline constexpr std::string_view zero_time_key = "zero_time";          ///< the calendar time of t = 0
inline constexpr std::string_view creation_time_key = "creation_time";  ///< that of the file
inline constexpr std::string_view channel_osi_version_key = "net.asam.osi.trace.channel.osi_version";
inline constexpr std::string_view channel_protobuf_version_key = "net.asam.osi.trace.channel.protobuf_version";

}  // namespace osi_metadata

/// The value of a key in the record `net.asam.osi.trace`; nullopt where it is missing, and for another record.
[[nodiscard]] OSITRACE_API std::optional<std::string> trace_entry(const MetadataRecord& record, std::string_view key);
/// Of several records `net.asam.osi.trace` the first that has the key.
[[nodiscard]] OSITRACE_API std::optional<std::string> trace_entry(const TraceInfo& info, std::string_view key);

/// The version `3.8.0`, three numbers, as versions in OSI-MCAP and in the MIME types of OSMP are. nullopt: another
/// form, or a number of more than 32 bits.
[[nodiscard]] OSITRACE_API std::optional<OsiVersion> release_in(std::string_view text) noexcept;

/// Checks an entry for the record `net.asam.osi.trace` of an MCAP file. Allowed are keys that the OSI standard does not
/// define and those that it recommends, in its form: `zero_time` and `creation_time` (an XML Schema dateTimeStamp),
/// `description`, `authors`, `data_sources`. Not allowed are versions, which a writer sets from its data, and other
/// names that begin with net.asam.osi. Throws Error (usage) with the reason.
OSITRACE_API void check_trace_entry(std::string_view key, std::string_view value);

}  // namespace ositrace
