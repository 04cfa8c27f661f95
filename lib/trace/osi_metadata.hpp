// SPDX-License-Identifier: MPL-2.0
// Names and versions in the metadata of a trace, which OSI-MCAP defines; those that programs use are in
// trace_metadata.hpp.
#pragma once

#include <array>
#include <string_view>

#include <ositrace/trace_metadata.hpp>

namespace ositrace::osi_metadata {

inline constexpr std::string_view reserved_prefix = "net.asam.osi";  ///< of names of records and keys

/// Mandatory keys of the trace record.
inline constexpr std::string_view version_key = "version";
inline constexpr std::string_view min_osi_version_key = "min_osi_version";
inline constexpr std::string_view max_osi_version_key = "max_osi_version";
inline constexpr std::string_view min_protobuf_version_key = "min_protobuf_version";
inline constexpr std::string_view max_protobuf_version_key = "max_protobuf_version";
inline constexpr std::array version_keys{version_key, min_osi_version_key, max_osi_version_key,
                                         min_protobuf_version_key, max_protobuf_version_key};

/// Recommended beside the two times: texts.
inline constexpr std::string_view description_key = "description";
inline constexpr std::string_view authors_key = "authors";
inline constexpr std::string_view data_sources_key = "data_sources";

/// The release of the trace format that we write: it comes with OSI.
inline constexpr std::string_view trace_format_version = "3.8.0";

/// Of data that state no Protobuf version: the one whose wire form our writers follow byte by byte (the tests compare).
inline constexpr std::string_view canonical_protobuf_version = "3.21.12";

}  // namespace ositrace::osi_metadata

namespace ositrace {

/// `3.8.0`: three numbers, nothing else, as the versions in OSI-MCAP are.
[[nodiscard]] bool is_release(std::string_view text) noexcept;

/// A record `net.asam.osi.trace` of versions alone: nothing is lost without it, because a writer makes it from the
/// data.
[[nodiscard]] bool states_versions_only(const MetadataRecord& record);

}  // namespace ositrace
