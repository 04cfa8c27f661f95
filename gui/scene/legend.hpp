// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QPainter>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

struct LegendRow {
    Category category{};
    std::size_t count = 0;  ///< things, or points of clouds
    QRectF area;            ///< where it stands
};

/// What the picture has, things or points of clouds, in the order of Category; hidden ones, too, so that they can be
/// shown again.
[[nodiscard]] std::vector<std::pair<Category, std::size_t>> counts_in(const Picture& picture);
/// The same as rows on the screen, as far as a view of this size has room. In a narrow view the rows are narrow and
/// leave out the counts. Empty where there is no legend.
[[nodiscard]] std::vector<LegendRow> legend_rows(const SceneState& state, QSize size);
/// A click there shows or hides it.
[[nodiscard]] std::optional<Category> legend_row_at(const SceneState& state, QSize size, QPointF at);
/// Where it ends; 0 where there is none.
[[nodiscard]] double legend_right(const SceneState& state, QSize size);
/// Returns where it is.
QRectF paint_legend(QPainter& painter, QSize size, const SceneState& state);

}  // namespace ositrace::gui
