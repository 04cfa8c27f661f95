// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <exception>

#include <QWidget>

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
    bool is_complete() const override { return !is_asked_ && (!drawing_ || drawing_->is_complete()); }
    std::chrono::nanoseconds drawn_in() const override { return drawing_ ? drawing_->drawn_in() : std::chrono::nanoseconds(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool draw_picture(QPainter& painter);
    /// OpenGL failed: from now on only the overlay is painted, and says why.
    void give_up(const std::exception& error);
    void drop_drawing() noexcept;

    EglContext context_;
    std::unique_ptr<SlicedDrawing> drawing_;  ///< null after OpenGL failed
    SceneState state_;
    QString description_;
    QString failure_;        ///< empty while OpenGL works
    bool is_asked_ = false;  ///< for a state that paintEvent() has not seen
};

}  // namespace ositrace::gui
