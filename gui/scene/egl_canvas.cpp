// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/egl_canvas.hpp"

#include <utility>

#include <QMetaObject>
#include <QPainter>

#include "gui/scene/overlay.hpp"
#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

EglCanvas::EglCanvas(QWidget* parent) : QWidget(parent)
{
    start_drawing();
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
    prepared_ = lend_drawing();
    context_.release();
    preparing_ = std::jthread([this](const std::stop_token& stop) { prepare_drawing(stop); });
}

EglCanvas::~EglCanvas()
{
    preparing_.request_stop();
    if (preparing_.joinable()) preparing_.join();
    try {
        context_.make_current();
        prepared_.reset();
        drop_drawing();
    } catch (const std::exception&) {
        static_cast<void>(prepared_.release());
        forget_drawing();
    }
}

void EglCanvas::prepare_drawing(const std::stop_token& stop)
{
    try {
        context_.make_current();
        while (!stop.stop_requested() && prepared_->prepare_more()) {
        }
    } catch (const std::exception& error) {
        failure_ = QString::fromUtf8(error.what());
    }
    context_.release();
    QMetaObject::invokeMethod(this, &EglCanvas::take_prepared, Qt::QueuedConnection);
}

void EglCanvas::take_prepared()
{
    preparing_.join();
    take_back(std::move(prepared_));
    if (failure_.isEmpty()) return;
    try {
        context_.make_current();
    } catch (const std::exception&) {
        forget_drawing();
    }
    give_up(failure_);
}

void EglCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    try {
        if (!is_lent()) context_.make_current();
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
