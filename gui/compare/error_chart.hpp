// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QWidget>

#include <ositrace/compare_traces.hpp>

#include "gui/playback/time_scale.hpp"

namespace ositrace::gui {

/// Errors over time: a NaN interrupts the line.
struct ErrorCurve {
    QString name;
    std::vector<Nanoseconds> times;  ///< never decreasing
    std::vector<float> values;       ///< as shown: angles in degrees
};

/// Moments of which something is missed, or that have ghosts.
struct ErrorMarks {
    std::vector<Nanoseconds> missed, ghosts;
};

/// Of an object of A; of all of them together, if it is null: the mean and the largest error.
[[nodiscard]] std::vector<ErrorCurve> error_curves(const TraceComparison& comparison, ObjectError kind,
                                                   const ObjectHistory* object);
/// Of an object of A; of all of them, if it is null.
[[nodiscard]] ErrorMarks error_marks(const TraceComparison& comparison, const ObjectHistory* object);

/// The curves of a comparison, with missed objects and ghosts as ticks below. A click seeks.
class ErrorChart : public QWidget {
    Q_OBJECT
public:
    explicit ErrorChart(QWidget* parent = nullptr);
    /// `unit`: of the values.
    void show_curves(std::vector<ErrorCurve> curves, ErrorMarks marks, const QString& unit);
    /// The time on the screen.
    void set_time(Nanoseconds time);
    [[nodiscard]] const std::vector<ErrorCurve>& curves() const noexcept { return curves_; }
    [[nodiscard]] const ErrorMarks& marks() const noexcept { return marks_; }
    /// Times and their places.
    [[nodiscard]] TimeScale scale() const;
    [[nodiscard]] QSize sizeHint() const override { return {420, 160}; }

signals:
    void seek_requested(ositrace::Nanoseconds time);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    struct Range {
        double low = 0, high = 1;
    };
    [[nodiscard]] QRectF plot_area() const;
    [[nodiscard]] double y_of(double value) const;
    void measure();
    void paint_axes(QPainter& painter) const;
    void paint_curve(QPainter& painter, const ErrorCurve& curve, const QColor& colour) const;
    void paint_marks(QPainter& painter) const;
    void paint_legend(QPainter& painter) const;

    std::vector<ErrorCurve> curves_;
    ErrorMarks marks_;
    QString unit_;
    Nanoseconds time_{};
    std::optional<TimeSection> extent_;
    Range range_;
};

}  // namespace ositrace::gui
