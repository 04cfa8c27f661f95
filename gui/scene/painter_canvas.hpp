// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QImage>

#include "gui/scene/canvas.hpp"

namespace ositrace::gui {

/// Where there is no OpenGL at all: the bird's eye by Qt's painter.
class PainterCanvas final : public QWidget, public Canvas {
    Q_OBJECT
public:
    explicit PainterCanvas(QWidget* parent);

    CanvasKind kind() const override { return CanvasKind::painter; }
    QWidget& widget() override { return *this; }
    void show_state(const SceneState& state) override;
    std::optional<Pick> pick(double x, double y, PickOrder order) override;
    QString description() const override { return QStringLiteral("Qt's painter"); }
    bool is_seen() const override { return is_complete(); }
    bool is_complete() const override { return !scene_is_old_; }
    std::chrono::nanoseconds drawn_in() const override { return drawn_in_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    SceneState state_;
    QImage scene_;
    bool scene_is_old_ = true;
    std::chrono::nanoseconds drawn_in_{};
};

}  // namespace ositrace::gui
