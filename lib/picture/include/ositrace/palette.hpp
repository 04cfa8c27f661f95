// SPDX-License-Identifier: MPL-2.0
// The colours of pictures.
#pragma once

#include <array>
#include <cstdint>

#include <ositrace/picture.hpp>

namespace ositrace {

enum class Theme : std::uint8_t { dark, light };

/// Red, green, blue, alpha from 0 to 1, not premultiplied.
using Colour = std::array<float, 4>;

[[nodiscard]] Colour background_of(Theme theme) noexcept;
[[nodiscard]] Colour grid_of(Theme theme) noexcept;
/// Colour of the selected thing.
[[nodiscard]] Colour highlight_of(Theme theme) noexcept;
[[nodiscard]] Colour colour_of(Look look, Theme theme) noexcept;
/// Colour of the sample in the legend, and of clouds that no field colours.
[[nodiscard]] Colour colour_of(Category category, Theme theme) noexcept;

/// The turbo colour map: 0 blue, 0.5 green, 1 red; values outside of 0 to 1 are clamped, grey for a value that is not a
/// number.
[[nodiscard]] Colour turbo(float value) noexcept;

[[nodiscard]] std::array<std::uint8_t, 4> bytes_of(const Colour& colour) noexcept;

/// A lamp of a vehicle or a traffic light.
[[nodiscard]] bool is_lamp(Look look) noexcept;
/// A lamp that is on.
[[nodiscard]] bool shines(Look look) noexcept;

}  // namespace ositrace
