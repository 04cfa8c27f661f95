// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/egl_canvas.hpp"

#include <QPainter>

#include "gui/scene/overlay.hpp"
#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

EglCanvas::EglCanvas(QWidget* parent) : QWidget(parent)
{
    start_drawing();
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

EglCanvas::~EglCanvas()
{
    try {
        context_.make_current();
        drop_drawing();
    } catch (const std::exception&) {
        forget_drawing();
    }
}

void EglCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    try {
        context_.make_current();
        if (const auto* const target = drawn_state()) {
            const auto pixels = target->read();
            QImage image(pixels.data(), target->size().width, target->size().height, QImage::Format_RGBX8888);
            image.setDevicePixelRatio(devicePixelRatioF());
            painter.drawImage(QPoint(), image);
        } else {
            painter.fillRect(rect(), to_qcolor(background_of(state().options.theme)));
        }
    } catch (const std::exception& error) {
        give_up(QString::fromUtf8(error.what()));
    }
    paint_overlay(painter, size(), state());
    if (is_complete()) on_complete();
}

}  // namespace ositrace::gui
