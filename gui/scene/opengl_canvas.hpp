// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <exception>
#include <memory>

#include <QElapsedTimer>
#include <QSize>

#include "gui/render/sliced_drawing.hpp"
#include "gui/scene/canvas.hpp"
#include "gui/scene/drawing_turns.hpp"

namespace ositrace::gui {

/// What canvases with OpenGL have in common, whoever gives the context. Drawing takes turns of its own between those of
/// the thread's other duties, painting only shows how far it is.
class OpenGlCanvas : public Canvas {
public:
    OpenGlCanvas() : turns_([this] { take_turn(); }) {}
    void show_state(const SceneState& state) override;
    std::optional<Pick> pick(double x, double y, PickOrder order) override;
    QString description() const override { return description_; }
    bool is_seen() const override { return is_seen_; }
    bool is_complete() const override { return !is_asked_ && !has_failed_; }
    std::chrono::nanoseconds drawn_in() const override
    {
        return drawing_ ? drawing_->drawn_in() : std::chrono::nanoseconds();
    }

protected:
    virtual void make_current() = 0;
    /// A turn for what painting will need besides the drawing. False: there is nothing left to prepare.
    virtual bool prepare() { return false; }

    /// With the context being current. Throws Error (unsupported).
    void start_drawing();
    /// From within painting, with the context being current. What is drawn so far, and goes on being drawn; null before
    /// that and where OpenGL failed.
    const RenderTarget* drawn_state();
    /// OpenGL failed: says so, once.
    void give_up(const QString& why);
    /// With the context being current, or gone.
    void drop_drawing() noexcept { drawing_.reset(); }
    /// Its names in OpenGL went with the context.
    void forget_drawing() noexcept { static_cast<void>(drawing_.release()); }
    /// To another thread, with the context. Until it comes back nothing is drawn, and nothing is complete.
    [[nodiscard]] std::unique_ptr<SlicedDrawing> lend_drawing() noexcept;
    void take_back(std::unique_ptr<SlicedDrawing> drawing);
    [[nodiscard]] bool is_lent() const noexcept { return is_lent_; }

    [[nodiscard]] const SceneState& state() const noexcept { return state_; }

private:
    void take_turn();
    PixelSize hand_over_state();

    std::unique_ptr<SlicedDrawing> drawing_;  ///< null before OpenGL starts, after it failed, and while it is lent
    SceneState state_;
    QString description_;
    QElapsedTimer painted_;  ///< since then
    bool is_asked_ = false;  ///< for more than is on the screen
    bool is_seen_ = false;   ///< the picture of the last state is
    bool is_lent_ = false;   ///< drawing_ is
    bool has_failed_ = false;
    DrawingTurns turns_;
};

}  // namespace ositrace::gui
