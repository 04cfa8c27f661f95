// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

enum class Theme : std::uint8_t { dark, light };

/// Red, green, blue, alpha from 0 to 1, not premultiplied.
using Colour = std::array<float, 4>;

[[nodiscard]] Colour background_of(Theme theme) noexcept;

}  // namespace ositrace::gui
