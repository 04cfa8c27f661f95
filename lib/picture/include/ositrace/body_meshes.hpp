// SPDX-License-Identifier: MPL-2.0
// What vehicles, people and animals look like, as triangles. Does not use OpenGL.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <ositrace/picture.hpp>

namespace ositrace {

/// The place of a vertex is `place` * the sides of the box + `offset` * its height, so that wheels are round and people
/// keep their build in every box.
struct BodyVertex {
    Point place{};     ///< from -0.5 to 0.5: forward, left, up
    Point offset{};    ///< in heights of the box
    Point normal{};    ///< of the unit box; where there is an offset, of the world
    float paint = 0;   ///< BodyPaint
    float steers = 0;  ///< 1: turns with the front wheels about `place`
};

/// Numbers of the table in the shader of bodies.
enum class BodyPaint : std::uint8_t { body, glass, tyre, rim, trim, skin };

struct BodyMeshes {
    struct Range {
        std::size_t first = 0, count = 0;
    };
    std::vector<BodyVertex> vertices;
    std::array<Range, body_shape_count> ranges{};  ///< by BodyShape: vertices, three of each triangle
};

/// Made once. Any thread.
[[nodiscard]] const BodyMeshes& body_meshes();

}  // namespace ositrace
