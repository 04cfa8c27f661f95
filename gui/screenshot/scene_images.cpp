// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/scene_images.hpp"

#include <utility>

#include <QPainter>
#include <QString>

#include <ositrace/error.hpp>

#include "gui/render/egl_context.hpp"
#include "gui/render/render_target.hpp"
#include "gui/render/renderer.hpp"
#include "gui/scene/overlay.hpp"
#include "gui/scene/paint_picture.hpp"

namespace ositrace::gui {

namespace {

constexpr int samples = 4;  // per pixel

}  // namespace

struct SceneImages::OpenGl {
    EglContext context;
    RenderTarget target;
    Renderer renderer;

    explicit OpenGl(QSize size) : target({size.width(), size.height()}, samples) {}

    QImage draw(const SceneState& state)
    {
        context.make_current();
        renderer.draw(state.picture, state.camera, state.options, target);
        const auto pixels = target.read();
        const auto size = target.size();
        const QImage image(pixels.data(), size.width, size.height, QImage::Format_RGBX8888);
        return image.convertToFormat(QImage::Format_RGB32);
    }
};

SceneImages::SceneImages(QSize size) : size_(size)
{
    if (qEnvironmentVariable("OSIVIEW_CANVAS") == QStringLiteral("painter")) {
        why_painted_ = "OSIVIEW_CANVAS selects the painter";
        return;
    }
    try {
        opengl_ = std::make_unique<OpenGl>(size);
    } catch (const Error& error) {
        why_painted_ = error.what();
    }
}

SceneImages::~SceneImages() = default;

QImage SceneImages::draw(SceneState state)
{
    if (!opengl_) state.camera.view = View::bird;
    const bool is_same = !scene_.isNull() && state.picture == shown_.picture && state.camera == shown_.camera &&
                         state.options == shown_.options;
    if (!is_same) scene_ = drawn(state);
    QImage image = scene_;
    QPainter painter(&image);
    paint_overlay(painter, size_, state);
    painter.end();
    shown_ = std::move(state);
    return image;
}

QImage SceneImages::drawn(const SceneState& state)
{
    if (opengl_) {
        try {
            return opengl_->draw(state);
        } catch (const Error& error) {
            why_painted_ = error.what();
            opengl_.reset();
        }
    }
    auto camera = state.camera;
    camera.view = View::bird;
    return paint_picture(*state.picture, camera, state.options, size_);
}

}  // namespace ositrace::gui
