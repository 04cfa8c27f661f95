// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/scene_image.hpp"

#include <ositrace/error.hpp>

#include "gui/render/egl_context.hpp"
#include "gui/render/renderer.hpp"
#include "gui/scene/overlay.hpp"
#include "gui/scene/paint_picture.hpp"

namespace ositrace::gui {

namespace {

constexpr int samples = 4;

QImage draw_by_egl(const SceneState& state, QSize size)
{
    const EglContext context;
    const RenderTarget target({size.width(), size.height()}, samples);
    Renderer renderer;
    renderer.draw(state.picture, state.camera, state.options, target);
    const auto pixels = target.read();
    const QImage image(pixels.data(), size.width(), size.height(), QImage::Format_RGBX8888);
    return image.convertToFormat(QImage::Format_RGB32);
}

}  // namespace

QImage scene_image(SceneState state, QSize size, std::string& why_painted)
{
    QImage image;
    if (qEnvironmentVariable("OSIVIEW_CANVAS") == QStringLiteral("painter")) {
        why_painted = "OSIVIEW_CANVAS asks for the painter";
    } else {
        try {
            image = draw_by_egl(state, size);
        } catch (const Error& error) {
            why_painted = error.what();
        }
    }
    if (image.isNull()) {
        state.camera.view = View::bird;
        image = paint_picture(*state.picture, state.camera, state.options, size);
    }
    QPainter painter(&image);
    paint_overlay(painter, size, state);
    return image;
}

}  // namespace ositrace::gui
