// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "formats/mcap/records.hpp"
#include "lib/check/findings.hpp"

namespace ositrace {

/// The keys of the record net.asam.osi.trace and their forms.
void check_trace_metadata(const mcap::Metadata& record, std::uint64_t offset, Findings& findings);

/// Do the version ranges of the file's metadata span what channels and messages say? `osi_versions`: of the messages.
void check_version_ranges(const TraceInfo& info, const std::set<OsiVersion>& osi_versions, Findings& findings);

/// The version in `3.8.0`; nullopt when it has another form.
[[nodiscard]] std::optional<OsiVersion> release_in(std::string_view text) noexcept;

}  // namespace ositrace
