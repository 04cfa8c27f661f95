// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <QIcon>

class QColor;

namespace ositrace::gui {

enum class TransportSign : std::uint8_t { to_start, previous, play, pause, next, to_end, loop };

/// Drawn, so that it fits every theme and every density of pixels.
[[nodiscard]] QIcon transport_icon(TransportSign sign, const QColor& colour);

}  // namespace ositrace::gui
