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
    std::optional<Look> type;     ///< of lanes, below the row of their category
    std::size_t count = 0;        ///< things, or points of clouds
    QRectF area;                  ///< position on the screen
    std::vector<Colour> colours;  ///< of its things, where channels have colours of their own; else empty
};

/// The number of things or points per category of the shown channels, in the order of Category; includes hidden
/// categories, so that they can be shown again.
[[nodiscard]] std::vector<std::pair<Category, std::size_t>> counts_in(const Picture& picture,
                                                                      const RenderOptions& options);
/// The same as rows on the screen, and a row for each type of lane if there are several; as many as fit a view of this
/// size. In a narrow view the rows omit the counts. Empty
/// without a legend.
[[nodiscard]] std::vector<LegendRow> legend_rows(const SceneState& state, QSize size);
/// The line above the rows of a long legend, which folds it; empty without one. Where it is folded there are no rows.
[[nodiscard]] QRectF legend_head(const SceneState& state, QSize size);
[[nodiscard]] bool is_legend_folded(const SceneState& state, QSize size);
/// The row at a position.
[[nodiscard]] std::optional<LegendRow> legend_row_at(const SceneState& state, QSize size, QPointF at);
[[nodiscard]] bool is_shown(const LegendRow& row, const RenderOptions& options);
/// The right edge of the legend; 0 without a legend.
[[nodiscard]] double legend_right(const SceneState& state, QSize size);
/// Returns its area.
QRectF paint_legend(QPainter& painter, QSize size, const SceneState& state);

}  // namespace ositrace::gui
