// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QObject>
#include <QSize>

#include "gui/render/renderer.hpp"
#include "gui/scene/canvas.hpp"

namespace ositrace::gui {

/// Runs a long task in the GUI thread step by step: other events are processed before each step.
class DrawingSteps : public QObject {
public:
    explicit DrawingSteps(std::function<void()> step) : step_(std::move(step)) {}

    /// Schedules one more step.
    void schedule()
    {
        // Not a timer of 0 ms: the event loop runs that after a repaint but before events that arrived meanwhile.
        if (!std::exchange(scheduled_, true))
            QCoreApplication::postEvent(this, new QEvent(QEvent::User), Qt::LowEventPriority);
    }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::User) return QObject::event(event);
        scheduled_ = false;
        step_();
        return true;
    }

private:
    std::function<void()> step_;
    bool scheduled_ = false;
};

/// The common part of canvases with OpenGL; derived classes provide the context. Drawing runs in steps between other
/// events; painting only shows its progress.
class OpenGlCanvas : public Canvas {
public:
    OpenGlCanvas() : steps_([this] { draw_step(); }) {}
    void show_state(const SceneState& state) override;
    std::optional<Pick> pick(double x, double y, PickOrder order) override;
    QString description() const override { return description_; }
    bool is_seen() const override { return is_seen_; }
    bool is_complete() const override { return !has_more_ && !has_failed_; }
    std::chrono::nanoseconds drawn_in() const override
    {
        return drawing_ ? drawing_->drawn_in() : std::chrono::nanoseconds();
    }

protected:
    virtual void make_current() = 0;
    /// Prepares one more part that painting needs besides the drawing. Returns false if nothing is left to prepare.
    virtual bool prepare() { return false; }

    /// The context must be current. Throws Error (unsupported).
    void start_drawing();
    /// Called during painting; the context must be current. The drawing so far, which continues; null before it starts
    /// and after OpenGL failed.
    const RenderTarget* drawn_state();
    /// OpenGL failed: calls on_failure, once.
    void report_failure(const QString& why);
    /// The context must be current, or destroyed.
    void drop_drawing() noexcept { drawing_.reset(); }
    /// Its OpenGL objects were destroyed with the context.
    void forget_drawing() noexcept { static_cast<void>(drawing_.release()); }
    /// For another thread, together with the context. Until it is returned, nothing is drawn and nothing is complete.
    [[nodiscard]] std::unique_ptr<SlicedDrawing> lend_drawing() noexcept;
    void return_drawing(std::unique_ptr<SlicedDrawing> drawing);
    [[nodiscard]] bool is_lent() const noexcept { return is_lent_; }

    [[nodiscard]] const SceneState& state() const noexcept { return state_; }

private:
    void draw_step();
    PixelSize pass_state();

    std::unique_ptr<SlicedDrawing> drawing_;  ///< null before OpenGL starts, after it failed, and while it is lent
    SceneState state_;
    QString description_;
    QElapsedTimer painted_;  ///< time since the last painting
    bool has_more_ = false;  ///< more is to be drawn than the screen shows
    bool is_seen_ = false;   ///< the picture of the last state is visible
    bool is_lent_ = false;   ///< drawing_ is
    bool has_failed_ = false;
    DrawingSteps steps_;
};

}  // namespace ositrace::gui
