// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include <ositrace/trace_map.hpp>

#include "lib/check/findings.hpp"

namespace ositrace {

/// Compares the ground truths of a trace with its map: that of CheckOptions, or else the one in or beside the trace.
/// Memory: that of the map.
class MapCheck {
public:
    /// Borrows all. Throws Error (io, missing, limit) where the map of the options cannot be read from its file.
    MapCheck(const std::filesystem::path& file, const CheckOptions& options, Findings& findings);
    MapCheck(const MapCheck&) = delete;
    ~MapCheck();

    /// A frame that can be read, of a channel of a trace.
    void check(const Frame& frame, const TraceInfo& info, const Channel& channel, const FindingPlace& place);

private:
    class Lines;

    void find(const Frame& frame, const TraceInfo& info, const Channel& channel, const FindingPlace& place);
    [[nodiscard]] std::optional<MapDocument> search(const MapFrame& frame, const TraceInfo& info) const;
    void check_objects(const MessageView& ground_truth, const FindingPlace& place);
    void check_lanes(const MessageView& ground_truth, const Channel& channel, const FindingPlace& place);

    const std::filesystem::path& file_;
    const CheckOptions& options_;
    Findings& findings_;
    bool is_wanted_;
    std::optional<MapDocument> given_;
    bool was_searched_ = false;
    std::shared_ptr<const TraceMap> map_;
    std::unique_ptr<const Lines> lines_;  ///< of the map; made when a frame has lanes
    std::size_t known_lanes_ = 0;         ///< a hash of the last ones that were compared
};

}  // namespace ositrace
