// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ositrace/picture.hpp>

#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

[[nodiscard]] std::array<std::uint8_t, 4> bytes_of(const Colour& colour) noexcept;
/// A lamp of a vehicle or a traffic light.
[[nodiscard]] bool is_lamp(Look look) noexcept;
/// A lamp that is on.
[[nodiscard]] bool shines(Look look) noexcept;
[[nodiscard]] BoxInstance box_instance(const BoxMark& box, const Colour& colour, bool arrow_on_top) noexcept;
/// Metres from the centre to the corners.
[[nodiscard]] double reach_of(const BoxMark& box) noexcept;
/// Width of its edges.
[[nodiscard]] float edge_pixels(const BoxMark& box, float pixel_ratio) noexcept;
[[nodiscard]] Colour edge_colour(const Colour& body, bool wire_only, Theme theme) noexcept;
void add_box_edges(const BoxInstance& box, const Colour& colour, float pixels, std::vector<Segment>& edges);

}  // namespace ositrace::gui
