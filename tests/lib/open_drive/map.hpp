// SPDX-License-Identifier: MPL-2.0
// Maps for tests: documents from a few words, and what they become.
#pragma once

#include <string>
#include <string_view>

#include <ositrace/open_drive.hpp>

#include "tests/lib/scene/decoded.hpp"

namespace maps {

/// A map as it is read; keeps what `ground_truth` refers to.
struct Map {
    ositrace::GroundTruthMap map;
    decoded::Node ground_truth;
};

Map read(std::string_view xml, const ositrace::MapOptions& options = {});
/// The error of read().
std::string error_of_read(std::string_view xml);

/// `<OpenDRIVE>` with a header.
std::string document(const std::string& content);
/// A straight road along x from the origin, in one section.
struct RoadText {
    std::string id = "1";
    double length = 100;
    std::string attributes = {}, link = {}, profiles = {}, left = {}, center = "<lane id='0' type='none'/>", right = {},
                lane_offset = {}, features = {};
    std::string geometry = {};
    operator std::string() const;
};
/// A lane with a width of 3.5 m and something in it.
std::string lane(int id, std::string_view content = {}, std::string_view type = "driving");

}  // namespace maps
