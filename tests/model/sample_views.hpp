// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/model/forms.hpp"

namespace osi3 {
class SensorView;
}

namespace ositrace::test {

/// As libprotobuf writes it.
[[nodiscard]] Message encoded(const osi3::SensorView& view);
/// Objects and lidars as no simulator makes them: anything may be missing, odd or not a number. Depends on the seed
/// alone.
[[nodiscard]] Message odd_view(std::uint32_t seed);
/// Frames of the sample scene.
[[nodiscard]] std::vector<Message> scene_views(std::uint32_t objects, std::uint32_t reflections, int fields,
                                               std::uint64_t frames);
/// Frames of the dummy source.
[[nodiscard]] std::vector<Message> source_views(std::uint32_t objects, std::uint32_t reflections, bool ray_scene,
                                                std::uint64_t frames);

}  // namespace ositrace::test
