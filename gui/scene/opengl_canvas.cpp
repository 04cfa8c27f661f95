// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/opengl_canvas.hpp"

#include <utility>

#include "gui/render/egl_context.hpp"

namespace ositrace::gui {

namespace {

constexpr std::chrono::milliseconds at_once{10};  // then the thread looks after its other duties

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
    widget().update();
}

const RenderTarget* OpenGlCanvas::draw_state(bool& more)
{
    is_asked_ = more = false;
    if (!drawing_) return nullptr;
    const double ratio = widget().devicePixelRatioF();
    const auto size = widget().size() * ratio;
    auto options = state_.options;
    options.pixel_ratio = static_cast<float>(ratio);
    try {
        drawing_->set(state_.picture ? state_.picture : nothing(), state_.camera, options, {size.width(), size.height()});
        more = drawing_->advance(at_once);
        return drawing_->target();
    } catch (const std::exception& error) {
        give_up(QString::fromUtf8(error.what()));
        return nullptr;
    }
}

std::optional<Pick> OpenGlCanvas::pick(double x, double y)
{
    if (!drawing_ || !state_.picture) return std::nullopt;
    const double ratio = widget().devicePixelRatioF();
    try {
        make_current();
        return drawing_->pick(x * ratio, y * ratio);
    } catch (const std::exception& error) {
        give_up(QString::fromUtf8(error.what()));
        return std::nullopt;
    }
}

void OpenGlCanvas::give_up(const QString& why)
{
    drop_drawing();
    if (!std::exchange(has_failed_, true)) on_failure(why);
}

}  // namespace ositrace::gui
