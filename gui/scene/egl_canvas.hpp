// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <stop_token>
#include <thread>

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
    void prepare_drawing(const std::stop_token& stop);
    Q_INVOKABLE void take_prepared();

    EglContext context_;
    std::unique_ptr<SlicedDrawing> prepared_;  ///< of the thread, with the context, until it has ended
    QString failure_;                          ///< why it made nothing
    std::jthread preparing_;  ///< the driver compiles shaders for tens of milliseconds each: not in the window's thread
};

}  // namespace ositrace::gui
