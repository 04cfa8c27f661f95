// SPDX-License-Identifier: MPL-2.0
// Names and versions in the metadata of a trace, which OSI-MCAP defines.
#pragma once

#include <optional>
#include <string_view>

#include <ositrace/schema.hpp>

namespace ositrace::osi_metadata {

inline constexpr std::string_view reserved_prefix = "net.asam.osi";     ///< of names of records and keys
inline constexpr std::string_view trace_record = "net.asam.osi.trace";  ///< the one metadata record of the file

/// Its mandatory keys.
inline constexpr std::string_view version_key = "version";
inline constexpr std::string_view min_osi_version_key = "min_osi_version";
inline constexpr std::string_view max_osi_version_key = "max_osi_version";
inline constexpr std::string_view min_protobuf_version_key = "min_protobuf_version";
inline constexpr std::string_view max_protobuf_version_key = "max_protobuf_version";

/// Recommended: the calendar time of t = 0, that of the file, and texts.
inline constexpr std::string_view zero_time_key = "zero_time";
inline constexpr std::string_view creation_time_key = "creation_time";
inline constexpr std::string_view description_key = "description";
inline constexpr std::string_view authors_key = "authors";
inline constexpr std::string_view data_sources_key = "data_sources";

/// Mandatory in the metadata of a channel.
inline constexpr std::string_view channel_osi_version_key = "net.asam.osi.trace.channel.osi_version";
inline constexpr std::string_view channel_protobuf_version_key = "net.asam.osi.trace.channel.protobuf_version";

/// The release of the trace format that we write: it comes with OSI.
inline constexpr std::string_view trace_format_version = "3.8.0";

/// Of data that state no Protobuf version: the one whose wire form our writers follow byte by byte (the tests compare).
inline constexpr std::string_view canonical_protobuf_version = "3.21.12";

}  // namespace ositrace::osi_metadata

namespace ositrace {

/// `3.8.0`: three numbers, nothing else, as the versions in OSI-MCAP are.
[[nodiscard]] bool is_release(std::string_view text) noexcept;
/// nullopt: another form, or a number of more than 32 bits.
[[nodiscard]] std::optional<OsiVersion> release_in(std::string_view text) noexcept;

}  // namespace ositrace
