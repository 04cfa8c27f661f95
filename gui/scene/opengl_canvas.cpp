// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/opengl_canvas.hpp"

#include <utility>

#include "gui/render/load_opengl.hpp"

namespace ositrace::gui {

namespace {

constexpr std::chrono::milliseconds step_budget{5};  // then other events are processed
constexpr qint64 paint_interval = 100;               // milliseconds, while a picture is drawn: painting takes time, too

/// Shown while nothing is open: the ground.
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
    has_more_ = true;
    is_seen_ = false;
    steps_.schedule();
}

PixelSize OpenGlCanvas::pass_state()
{
    const double ratio = widget().devicePixelRatioF();
    const auto pixels = widget().size() * ratio;
    const PixelSize size{pixels.width(), pixels.height()};
    auto options = state_.options;
    options.pixel_ratio = static_cast<float>(ratio);
    drawing_->set(state_.picture ? state_.picture : nothing(), state_.camera, options, size);
    return size;
}

void OpenGlCanvas::draw_step()
{
    if (!drawing_ || !widget().isVisible()) return widget().update();
    try {
        if (prepare()) return steps_.schedule();
        make_current();
        pass_state();
        const auto* const before = drawing_->target();
        const bool was_complete = drawing_->is_complete();
        const bool more = drawing_->advance(step_budget);
        if (!more || drawing_->is_complete() != was_complete || drawing_->target() != before ||
            painted_.hasExpired(paint_interval))
            widget().update();  // which schedules the next step
        else
            steps_.schedule();
    } catch (const std::exception& error) {
        report_failure(QString::fromUtf8(error.what()));
        widget().update();
    }
}

const RenderTarget* OpenGlCanvas::drawn_state()
{
    painted_.start();
    has_more_ = is_lent_;
    if (!drawing_) return nullptr;
    try {
        const auto size = pass_state();
        if (drawing_->target() && drawing_->target()->size() != size)
            drawing_->advance(step_budget);  // the current target has another size
        has_more_ = !drawing_->is_complete();
        is_seen_ = drawing_->shows_picture();
        if (!drawing_->is_idle()) steps_.schedule();
        return drawing_->target();
    } catch (const std::exception& error) {
        has_more_ = false;
        report_failure(QString::fromUtf8(error.what()));
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
        report_failure(QString::fromUtf8(error.what()));
        return std::nullopt;
    }
}

std::unique_ptr<SlicedDrawing> OpenGlCanvas::lend_drawing() noexcept
{
    is_lent_ = true;
    return std::move(drawing_);
}

void OpenGlCanvas::return_drawing(std::unique_ptr<SlicedDrawing> drawing)
{
    is_lent_ = false;
    drawing_ = std::move(drawing);
    steps_.schedule();
}

void OpenGlCanvas::report_failure(const QString& why)
{
    drop_drawing();
    if (!std::exchange(has_failed_, true)) on_failure(why);
}

}  // namespace ositrace::gui
