// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QWidget>

#include "gui/render/egl_context.hpp"
#include "gui/scene/opengl_canvas.hpp"

namespace ositrace::gui {

/// With OpenGL that no window system knows of: where the platform has none (offscreen, remote displays), but EGL draws.
class EglCanvas final : public QWidget, public OpenGlCanvas {
    Q_OBJECT
public:
    /// Throws Error (unsupported) where EGL does not draw either.
    explicit EglCanvas(QWidget* parent);
    ~EglCanvas() override;

    CanvasKind kind() const override { return CanvasKind::egl; }
    QWidget& widget() override { return *this; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void make_current() override { context_.make_current(); }

private:
    EglContext context_;
};

}  // namespace ositrace::gui
