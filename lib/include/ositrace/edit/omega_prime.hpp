// SPDX-License-Identifier: MPL-2.0
// A trace as the omega-prime profile has it. See docs/maps.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <ositrace/check.hpp>
#include <ositrace/edit/map_channel.hpp>
#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

namespace ositrace {

/// Complete when the source has ended.
struct OmegaPrimeResult {
    CheckResult check;  ///< the rules of the profile that the output does not follow, each once
    /// Fields that were written into frames of GroundTruth which did not state them, and the number of these frames.
    std::map<std::string, std::uint64_t> added;
};

/// The channel of GroundTruth, with the topic `/ground_truth`, and the map (empty: there is none) as with_map_channel()
/// writes it. Facts that the trace states once (version, host, country, projection, map_reference) are written into
/// every later GroundTruth without them, and where the trace has no map_reference, that of the document. Nothing else
/// is added or changed. Channels of other types are kept: the caller selects one channel of GroundTruth. `result` must
/// outlive the source. Throws what with_map_channel() throws; read() also throws Error for a GroundTruth whose fields
/// cannot be read.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> as_omega_prime(std::unique_ptr<FrameSource> from,
                                                                       std::optional<MapDocument> map,
                                                                       OmegaPrimeResult& result,
                                                                       const MapChannelOptions& options = {});

}  // namespace ositrace
