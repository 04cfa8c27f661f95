// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/opengl_canvas.hpp"

#include <utility>

#include "gui/render/egl_context.hpp"

namespace ositrace::gui {

namespace {

constexpr std::chrono::milliseconds at_once{5};  // then the thread looks after its other duties
constexpr qint64 paint_every = 100;  // milliseconds, while a picture is drawn: putting it on the screen takes time, too

/// What is shown while nothing is open: the ground.
const std::shared_ptr<const Picture>& nothing()
{
    static const auto empty = std::make_shared<const Picture>();
    return empty;
}

}  // namespace

void OpenGlCanvas::start_drawing()
{
    drawing_ = std::make_unique<SlicedDrawing>();
    description_ = QString::fromStdString(describe_opengl());
}

void OpenGlCanvas::show_state(const SceneState& state)
{
    state_ = state;
    is_asked_ = true;
    is_seen_ = false;
    turns_.ask();
}

PixelSize OpenGlCanvas::hand_over_state()
{
    const double ratio = widget().devicePixelRatioF();
    const auto pixels = widget().size() * ratio;
    const PixelSize size{pixels.width(), pixels.height()};
    auto options = state_.options;
    options.pixel_ratio = static_cast<float>(ratio);
    drawing_->set(state_.picture ? state_.picture : nothing(), state_.camera, options, size);
    return size;
}

void OpenGlCanvas::take_turn()
{
    if (!drawing_ || !widget().isVisible()) return widget().update();
    try {
        if (prepare()) return turns_.ask();
        make_current();
        hand_over_state();
        const auto* const before = drawing_->target();
        const bool was_complete = drawing_->is_complete();
        const bool more = drawing_->advance(at_once);
        if (!more || drawing_->is_complete() != was_complete || drawing_->target() != before ||
            painted_.hasExpired(paint_every))
            widget().update();  // which asks for the next turn
        else
            turns_.ask();
    } catch (const std::exception& error) {
        give_up(QString::fromUtf8(error.what()));
        widget().update();
    }
}

const RenderTarget* OpenGlCanvas::drawn_state()
{
    painted_.start();
    is_asked_ = is_lent_;
    if (!drawing_) return nullptr;
    try {
        const auto size = hand_over_state();
        if (drawing_->target() && drawing_->target()->size() != size)
            drawing_->advance(at_once);  // what is there does not fit
        is_asked_ = !drawing_->is_complete();
        is_seen_ = drawing_->shows_picture();
        if (!drawing_->is_idle()) turns_.ask();
        return drawing_->target();
    } catch (const std::exception& error) {
        is_asked_ = false;
        give_up(QString::fromUtf8(error.what()));
        return nullptr;
    }
}

std::optional<Pick> OpenGlCanvas::pick(double x, double y, PickOrder order)
{
    if (!drawing_ || !state_.picture) return std::nullopt;
    const double ratio = widget().devicePixelRatioF();
    try {
        make_current();
        return drawing_->pick(x * ratio, y * ratio, order);
    } catch (const std::exception& error) {
        give_up(QString::fromUtf8(error.what()));
        return std::nullopt;
    }
}

std::unique_ptr<SlicedDrawing> OpenGlCanvas::lend_drawing() noexcept
{
    is_lent_ = true;
    return std::move(drawing_);
}

void OpenGlCanvas::take_back(std::unique_ptr<SlicedDrawing> drawing)
{
    is_lent_ = false;
    drawing_ = std::move(drawing);
    turns_.ask();
}

void OpenGlCanvas::give_up(const QString& why)
{
    drop_drawing();
    if (!std::exchange(has_failed_, true)) on_failure(why);
}

}  // namespace ositrace::gui
