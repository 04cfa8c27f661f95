// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

struct LegendRow {
    Category category{};
    std::size_t count = 0;  ///< things, or points of clouds
    QRectF area;            ///< where it stands
};

/// What the picture has, in the order of Category; hidden categories, too, so that they can be shown again.
[[nodiscard]] std::vector<LegendRow> legend_rows(const SceneState& state);
/// A click there shows or hides it.
[[nodiscard]] std::optional<Category> legend_row_at(const SceneState& state, QPointF at);
void paint_legend(QPainter& painter, QSize size, const SceneState& state);

}  // namespace ositrace::gui
