// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <set>

#include "formats/mcap/records.hpp"
#include "lib/check/findings.hpp"

namespace ositrace {

/// The keys of the record net.asam.osi.trace and their forms.
void check_trace_metadata(const mcap::Metadata& record, std::uint64_t offset, Findings& findings);

/// Do the version ranges of the file's metadata span what channels and messages say? `osi_versions`: of the messages.
void check_version_ranges(const TraceInfo& info, const std::set<OsiVersion>& osi_versions, Findings& findings);

}  // namespace ositrace
