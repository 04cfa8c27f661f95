// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <exception>
#include <memory>

#include <QImage>
#include <QOpenGLWidget>

#include "gui/render/sliced_drawing.hpp"
#include "gui/scene/canvas.hpp"

namespace ositrace::gui {

class ScreenImage;

/// With the OpenGL of the window system. Only where opengl_works(): elsewhere Qt 6.4 falls into a hole.
class GlCanvas final : public QOpenGLWidget, public Canvas {
    Q_OBJECT
public:
    explicit GlCanvas(QWidget* parent);
    ~GlCanvas() override;

    QWidget& widget() override { return *this; }
    void show_state(const SceneState& state) override;
    std::optional<Pick> pick(double x, double y) override;
    bool has_3d() const override { return true; }
    QString description() const override { return description_; }
    bool is_complete() const override { return !is_asked_ && (!drawing_ || drawing_->is_complete()); }
    std::chrono::nanoseconds drawn_in() const override { return drawing_ ? drawing_->drawn_in() : std::chrono::nanoseconds(); }

protected:
    void initializeGL() override;
    void paintGL() override;

private:
    void drop_context();
    /// OpenGL failed: from now on only the overlay is drawn, and says why.
    void give_up(const std::exception& error);
    void clear();
    bool draw_picture();
    void draw_overlay();

    SceneState state_;
    std::unique_ptr<SlicedDrawing> drawing_;  ///< null before OpenGL starts, and after it failed
    std::unique_ptr<ScreenImage> overlay_on_card_;
    QImage overlay_;
    bool overlay_is_old_ = true;
    bool is_asked_ = false;                   ///< for a state that paintGL() has not seen
    QString description_;
    QString failure_;                         ///< empty while OpenGL works
};

/// Does this platform give a window OpenGL 3.3? Says why not in `reason`. Not before QGuiApplication.
[[nodiscard]] bool opengl_works(QString& reason);

}  // namespace ositrace::gui
