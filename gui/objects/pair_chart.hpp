// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>

#include <QString>
#include <QWidget>

#include "gui/objects/pair_reader.hpp"

namespace ositrace::gui {

/// Gap, and time to collision, of two objects over time, each with its least value. A click requests a seek.
class PairChart : public QWidget {
    Q_OBJECT
public:
    explicit PairChart(QWidget* parent = nullptr);
    /// null: nothing yet; `note` gives the reason.
    void show_curves(std::shared_ptr<const PairCurves> curves, const QString& note = {});
    /// Of the screen: the cursor.
    void show_time(Nanoseconds time);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] const std::shared_ptr<const PairCurves>& curves() const noexcept { return curves_; }
    /// The texts of the least values: `gap: least 3.21 m at 4.500 s`.
    [[nodiscard]] QString least_text(bool of_collision) const;

signals:
    void seek_requested(ositrace::Nanoseconds time);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] double x_of(Nanoseconds time) const;
    [[nodiscard]] Nanoseconds time_at(double x) const;
    void seek_to(double x);

    std::shared_ptr<const PairCurves> curves_;
    QString note_;
    Nanoseconds time_{};
};

}  // namespace ositrace::gui
