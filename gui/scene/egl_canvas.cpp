// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/egl_canvas.hpp"

#include <QPainter>

#include "gui/scene/overlay.hpp"

namespace ositrace::gui {

namespace {
constexpr std::chrono::milliseconds at_once{10};
}

EglCanvas::EglCanvas(QWidget* parent) : QWidget(parent), drawing_(std::make_unique<SlicedDrawing>())
{
    description_ = QString::fromStdString(describe_opengl());
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

EglCanvas::~EglCanvas()
{
    drop_drawing();
}

void EglCanvas::drop_drawing() noexcept
try {
    context_.make_current();
    drawing_.reset();
} catch (const std::exception&) {
    static_cast<void>(drawing_.release());  // its names in OpenGL went with the context
}

void EglCanvas::give_up(const std::exception& error)
{
    failure_ = description_ = QString::fromUtf8(error.what());
    state_.notes += failure_;
    drop_drawing();
}

void EglCanvas::show_state(const SceneState& state)
{
    state_ = state;
    if (!failure_.isEmpty()) state_.notes += failure_;
    is_asked_ = true;
    update();
}

void EglCanvas::paintEvent(QPaintEvent*)
{
    is_asked_ = false;
    QPainter painter(this);
    bool more = false;
    try {
        if (drawing_ && state_.picture) more = draw_picture(painter);
    } catch (const std::exception& error) {
        give_up(error);
    }
    if (!drawing_ || !state_.picture) {
        const auto background = background_of(state_.options.theme);
        painter.fillRect(rect(), QColor::fromRgbF(background[0], background[1], background[2]));
    }
    paint_overlay(painter, size(), state_);
    if (more)
        update();
    else if (state_.picture)
        on_complete();
}

/// True: there is more to draw.
bool EglCanvas::draw_picture(QPainter& painter)
{
    const double ratio = devicePixelRatioF();
    auto options = state_.options;
    options.pixel_ratio = static_cast<float>(ratio);
    context_.make_current();
    drawing_->set(state_.picture, state_.camera, options, {static_cast<int>(width() * ratio), static_cast<int>(height() * ratio)});
    const bool more = drawing_->advance(at_once);
    if (const auto* target = drawing_->target()) {
        const auto pixels = target->read();
        const QImage image(pixels.data(), target->size().width, target->size().height, QImage::Format_RGBX8888);
        painter.drawImage(rect(), image);
    }
    return more;
}

std::optional<Pick> EglCanvas::pick(double x, double y)
{
    if (!drawing_) return std::nullopt;
    try {
        context_.make_current();
        return drawing_->pick(x * devicePixelRatioF(), y * devicePixelRatioF());
    } catch (const std::exception& error) {
        give_up(error);
        update();
        return std::nullopt;
    }
}

}  // namespace ositrace::gui
