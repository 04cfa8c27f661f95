// SPDX-License-Identifier: MPL-2.0
// The meshes of bodies: each fills its box and touches the ground, and its normals point outwards.
#include <algorithm>
#include <array>

#include <ositrace/body_meshes.hpp>
#include "tests/catch.hpp"

using namespace ositrace;

namespace {

/// Length, width and height of a common one.
std::array<float, 3> common_size(BodyShape shape)
{
    switch (shape) {
    case BodyShape::car: return {4.5F, 1.9F, 1.45F};
    case BodyShape::van: return {5.9F, 2, 2.6F};
    case BodyShape::truck: return {9, 2.5F, 3.7F};
    case BodyShape::tractor: return {6, 2.5F, 3.8F};
    case BodyShape::semitrailer: return {13.6F, 2.5F, 4};
    case BodyShape::trailer: return {5, 2, 2.2F};
    case BodyShape::bus: return {12, 2.55F, 3.2F};
    case BodyShape::train: return {20, 2.6F, 3.5F};
    case BodyShape::motorcycle: return {2.2F, 0.9F, 1.7F};
    case BodyShape::bicycle: return {1.8F, 0.6F, 1.75F};
    case BodyShape::scooter: return {1.2F, 0.6F, 1.8F};
    case BodyShape::wheelchair: return {1.1F, 0.7F, 1.4F};
    case BodyShape::pedestrian: return {0.4F, 0.6F, 1.75F};
    case BodyShape::animal: return {1.2F, 0.4F, 0.9F};
    case BodyShape::box: break;
    }
    return {1, 1, 1};
}

Point place_of(const BodyVertex& vertex, const std::array<float, 3>& size)
{
    Point place{};
    for (std::size_t k = 0; k < 3; ++k) place[k] = vertex.place[k] * size[k] + vertex.offset[k] * size[2];
    return place;
}

}  // namespace

TEST_CASE("each body fills its box from the ground to the roof and from the front to the rear")
{
    const auto& meshes = body_meshes();
    for (std::size_t i = 0; i < body_shape_count; ++i) {
        CAPTURE(i);
        const auto size = common_size(static_cast<BodyShape>(i));
        const auto [first, count] = meshes.ranges[i];
        REQUIRE(count > 0);
        CHECK(count % 3 == 0);
        REQUIRE(first + count <= meshes.vertices.size());
        Point least{1e9F, 1e9F, 1e9F}, most{-1e9F, -1e9F, -1e9F};
        for (std::size_t k = first; k < first + count; ++k) {
            const auto& vertex = meshes.vertices[k];
            const auto& n = vertex.normal;
            CHECK(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] == Approx(1).epsilon(1e-4));
            const auto place = place_of(vertex, size);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                least[axis] = std::min(least[axis], place[axis]);
                most[axis] = std::max(most[axis], place[axis]);
            }
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            CAPTURE(axis);
            const float half = size[axis] / 2, slack = 0.12F * size[axis];
            CHECK(least[axis] >= -half - slack);
            CHECK(most[axis] <= half + slack);
            CHECK(least[axis] <= -half + slack);
            CHECK(most[axis] >= half - slack);
        }
        if (static_cast<BodyShape>(i) != BodyShape::train)
            CHECK(least[2] == Approx(-size[2] / 2).margin(0.03 * static_cast<double>(size[2])));
    }
}

TEST_CASE("the faces of a hull look away from its middle")
{
    const auto& meshes = body_meshes();
    const auto [first, count] = meshes.ranges[static_cast<std::size_t>(BodyShape::bus)];
    for (std::size_t k = first; k < first + count; ++k) {
        const auto& vertex = meshes.vertices[k];
        if (vertex.offset != Point{}) continue;  // a wheel
        const auto& [x, y, z] = vertex.place;
        CHECK(x * vertex.normal[0] + y * vertex.normal[1] + z * vertex.normal[2] > 0);
    }
}
