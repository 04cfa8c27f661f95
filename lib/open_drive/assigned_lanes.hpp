// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "lib/open_drive/map_writer.hpp"

namespace ositrace::open_drive {

/// The lanes that a feature is assigned to, and where.
struct Assignments {
    struct Place {
        std::size_t lane = 0;  ///< of the network
        double s = 0, t = 0, angle = 0;
    };
    std::vector<Place> places;

    /// The lanes at s of a road with these ids. Without ids: of the driving lanes those whose traffic runs in the
    /// direction of `facing`.
    void add(const Network& network, const Document& document, std::size_t road, double s, double t, Facing facing,
             const std::vector<Validity>& validities);

    /// Writes `assigned_lane_id`, each lane once.
    void write_physical(NamedWriter& out, const Network& network) const;
    /// Writes `logical_lane_assignment`.
    void write_logical(NamedWriter& out, const Network& network) const;
};

}  // namespace ositrace::open_drive
