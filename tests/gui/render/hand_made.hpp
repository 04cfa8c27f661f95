// SPDX-License-Identifier: MPL-2.0
// Small pictures made by hand, where a test says what lies where.
#pragma once

#include <memory>
#include <vector>

#include <ositrace/picture.hpp>

namespace ositrace::test {

/// A car at a place, 4 x 2 x 1.5 m, heading along x.
[[nodiscard]] Layer car_at(Point centre, std::uint64_t id);
/// A line on the ground, 0.2 m wide.
[[nodiscard]] Layer boundary_from(Point from, Point to, std::uint64_t id);
[[nodiscard]] std::shared_ptr<const Picture> picture_of(std::vector<Layer> layers, GlobalPoint origin = {});
/// `count` points on a square of 40 m, with a field `strength` from 0 to 1.
[[nodiscard]] std::shared_ptr<const Cloud> square_cloud(std::size_t count);

}  // namespace ositrace::test
