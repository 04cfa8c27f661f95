// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

namespace bench {

/// What is converted: Protobuf frames of one type.
struct Sample {
    std::string name;
    std::string_view type;  ///< full name
    std::vector<std::vector<std::byte>> frames;
    std::size_t things = 1;         ///< reflections or objects in all frames together, for times per thing
    std::string_view thing = "frame";
};

/// One frame of the generated scene: a full lidar frame, rays that really hit something.
Sample reflections(std::uint32_t count, int fields);
/// One frame of the generated scene without its map: little but the objects.
Sample moving_objects(std::uint32_t count);
/// Those in ../shared/traces; none where the folder is absent.
std::vector<Sample> real_traces();

}  // namespace bench
