// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/painter_canvas.hpp"

#include <QPainter>

#include "gui/scene/overlay.hpp"
#include "gui/scene/paint_picture.hpp"

namespace ositrace::gui {

PainterCanvas::PainterCanvas(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void PainterCanvas::show_state(const SceneState& state)
{
    if (state.picture != state_.picture || state.camera != state_.camera || state.options != state_.options)
        scene_is_old_ = true;
    state_ = state;
    update();
}

void PainterCanvas::paintEvent(QPaintEvent*)
{
    const auto pixels = size() * devicePixelRatioF();
    if (scene_is_old_ || scene_.size() != pixels) {
        const auto start = std::chrono::steady_clock::now();
        auto options = state_.options;
        options.pixel_ratio = static_cast<float>(devicePixelRatioF());
        scene_ = paint_picture(state_.picture ? *state_.picture : Picture{}, state_.camera, options, pixels);
        scene_is_old_ = false;
        drawn_in_ = std::chrono::steady_clock::now() - start;
        on_complete();
    }
    QPainter painter(this);
    scene_.setDevicePixelRatio(devicePixelRatioF());
    painter.drawImage(QPoint(), scene_);
    paint_overlay(painter, size(), state_);
}

std::optional<Pick> PainterCanvas::pick(double x, double y, PickOrder order)
{
    if (!state_.picture) return std::nullopt;
    const ViewTransform view(state_.camera, state_.picture->origin, {width(), height()});
    return pick_painted(*state_.picture, view, x, y, state_.options, order);
}

}  // namespace ositrace::gui
