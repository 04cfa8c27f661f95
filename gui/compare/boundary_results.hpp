// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <QString>
#include <QWidget>

#include <ositrace/compare_boundaries.hpp>

#include "gui/compare/result_table.hpp"

namespace ositrace::gui {

/// `3`; of one without an id its place in the list: `#3`.
[[nodiscard]] QString boundary_name(std::uint64_t id, bool has_id);

/// A row per boundary of B: the worst first.
[[nodiscard]] ResultTable boundary_table(const BoundaryComparison& comparison);
inline constexpr int boundary_table_mean = 3;  ///< the column that it is sorted by

/// `4 boundaries against 6, mean |lateral| 0.200 m over 512 m, 3 m without a boundary of A`
[[nodiscard]] QString boundary_text(const BoundaryComparison& comparison);

/// The lateral error over the distance ahead, a line per boundary of B.
class BoundaryChart : public QWidget {
    Q_OBJECT
public:
    explicit BoundaryChart(QWidget* parent = nullptr);
    void show_comparison(const BoundaryComparison* comparison);
    [[nodiscard]] QSize sizeHint() const override { return {400, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 100}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    BoundaryComparison comparison_;
};

}  // namespace ositrace::gui
