// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "lib/check/findings.hpp"

namespace ositrace {

/// What the file name may be compared with.
struct NamedContent {
    TraceInfo info;
    std::set<OsiVersion> osi_versions;            ///< of the messages
    std::uint64_t most_frames = 0;                ///< of the channel with the most
    std::optional<std::string> osi_version;       ///< MCAP: the metadata's `version`
    std::optional<std::string> protobuf_version;  ///< MCAP: the metadata's `min_protobuf_version`
};

void check_name(const NamedContent& content, Findings& findings);

}  // namespace ositrace
