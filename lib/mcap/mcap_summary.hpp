// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>

#include <ositrace/trace.hpp>

#include "lib/mcap/mcap_index.hpp"

namespace ositrace {

/// What the summary section of a file says.
struct McapSummary {
    McapIndex index;                              ///< schemas and channels always; the rest where it is complete
    bool complete = false;                        ///< every message of the file is in a chunk that the index knows
    std::map<std::uint64_t, McapSegment> chunks;  ///< by offset; where it is not complete
};

/// nullopt: there is none, or none that can be trusted. Reads the end of the file, and metadata and fronts of
/// attachments. Throws Error (io).
[[nodiscard]] std::optional<McapSummary> read_mcap_summary(const std::shared_ptr<const SeekableFile>& file,
                                                           const OpenOptions& options);

}  // namespace ositrace
