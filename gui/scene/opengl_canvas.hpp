// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <exception>
#include <memory>

#include <QSize>

#include "gui/render/sliced_drawing.hpp"
#include "gui/scene/canvas.hpp"

namespace ositrace::gui {

/// What canvases with OpenGL have in common, whoever gives the context.
class OpenGlCanvas : public Canvas {
public:
    void show_state(const SceneState& state) override;
    std::optional<Pick> pick(double x, double y) override;
    QString description() const override { return description_; }
    bool is_complete() const override { return !is_asked_ && (!drawing_ || drawing_->is_complete()); }
    std::chrono::nanoseconds drawn_in() const override { return drawing_ ? drawing_->drawn_in() : std::chrono::nanoseconds(); }

protected:
    virtual void make_current() = 0;

    /// With the context being current. Throws Error (unsupported).
    void start_drawing();
    /// With the context being current. What is drawn of the state so far; null where OpenGL failed. `more`: there is more to draw.
    const RenderTarget* draw_state(bool& more);
    /// OpenGL failed: says so, once.
    void give_up(const QString& why);
    /// With the context being current, or gone.
    void drop_drawing() noexcept { drawing_.reset(); }
    /// Its names in OpenGL went with the context.
    void forget_drawing() noexcept { static_cast<void>(drawing_.release()); }

    [[nodiscard]] const SceneState& state() const noexcept { return state_; }

private:
    std::unique_ptr<SlicedDrawing> drawing_;  ///< null before OpenGL starts, and after it failed
    SceneState state_;
    QString description_;
    bool is_asked_ = false;                   ///< for a state that draw_state() has not seen
    bool has_failed_ = false;
};

}  // namespace ositrace::gui
