// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <QImage>
#include <QOpenGLWidget>

#include "gui/scene/opengl_canvas.hpp"

namespace ositrace::gui {

class ScreenImage;

/// With the OpenGL of the window system. Only where window_opengl() finds some: elsewhere Qt 6.4 falls into a hole.
class GlCanvas final : public QOpenGLWidget, public OpenGlCanvas {
    Q_OBJECT
public:
    explicit GlCanvas(QWidget* parent);
    ~GlCanvas() override;

    CanvasKind kind() const override { return CanvasKind::window; }
    QWidget& widget() override { return *this; }
    void show_state(const SceneState& state) override;

protected:
    void initializeGL() override;
    void paintGL() override;
    void paintEvent(QPaintEvent* event) override;
    void make_current() override { makeCurrent(); }
    bool prepare() override;

private:
    void drop_context();
    void clear();
    void draw_overlay();

    std::unique_ptr<ScreenImage> overlay_on_card_;
    QImage overlay_;
    QSize overlay_size_;        ///< that it was made for
    double overlay_ratio_ = 0;  ///< of pixels, then
    bool overlay_is_old_ = true;
    bool overlay_is_on_card_ = false;
};

/// What OpenGL a window gets here.
enum class WindowOpenGl : std::uint8_t {
    none,
    by_processor,  ///< Mesa's llvmpipe and its like: every repaint of any panel costs a drawing of the whole window
    by_card,
};

/// Tries it. `reason`: why there is none, 3.3 at least. Not before QGuiApplication.
[[nodiscard]] WindowOpenGl window_opengl(QString& reason);

}  // namespace ositrace::gui
