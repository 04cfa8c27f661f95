// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QTimer>

#include "gui/render/egl_context.hpp"
#include "gui/render/sliced_drawing.hpp"
#include "gui/scene/canvas.hpp"

namespace ositrace::gui {

/// With OpenGL that no window system knows of: where the platform has none (offscreen, remote displays), but EGL draws.
class EglCanvas final : public QWidget, public Canvas {
    Q_OBJECT
public:
    /// Throws Error (unsupported) where EGL does not draw either.
    explicit EglCanvas(QWidget* parent);
    ~EglCanvas() override;

    QWidget& widget() override { return *this; }
    void show_state(const SceneState& state) override;
    std::optional<Pick> pick(double x, double y) override;
    bool has_3d() const override { return true; }
    QString description() const override { return description_; }
    bool is_complete() const override { return !is_asked_ && drawing_->is_complete(); }
    std::chrono::nanoseconds drawn_in() const override { return drawing_->drawn_in(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    EglContext context_;
    std::unique_ptr<SlicedDrawing> drawing_;
    SceneState state_;
    QString description_;
    bool is_asked_ = false;  ///< for a state that paintEvent() has not seen
};

}  // namespace ositrace::gui
