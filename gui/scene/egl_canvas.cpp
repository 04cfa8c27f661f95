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
    context_.make_current();
    drawing_.reset();
}

void EglCanvas::show_state(const SceneState& state)
{
    state_ = state;
    is_asked_ = true;
    update();
}

void EglCanvas::paintEvent(QPaintEvent*)
{
    is_asked_ = false;
    QPainter painter(this);
    const double ratio = devicePixelRatioF();
    const PixelSize size{static_cast<int>(width() * ratio), static_cast<int>(height() * ratio)};
    if (state_.picture) {
        auto options = state_.options;
        options.pixel_ratio = static_cast<float>(ratio);
        context_.make_current();
        drawing_->set(state_.picture, state_.camera, options, size);
        const bool more = drawing_->advance(at_once);
        if (const auto* target = drawing_->target()) {
            const auto pixels = target->read();
            const QImage image(pixels.data(), target->size().width, target->size().height, QImage::Format_RGBX8888);
            painter.drawImage(rect(), image);
        }
        more ? update() : on_complete();
    } else {
        const auto background = background_of(state_.options.theme);
        painter.fillRect(rect(), QColor::fromRgbF(background[0], background[1], background[2]));
    }
    paint_overlay(painter, this->size(), state_);
}

std::optional<Pick> EglCanvas::pick(double x, double y)
{
    context_.make_current();
    return drawing_->pick(x * devicePixelRatioF(), y * devicePixelRatioF());
}

}  // namespace ositrace::gui
